-- Why: a list of imported texts says when each was imported. The day in UTC, YYYY-MM-DD; unknown (NULL) for what was imported
-- before this migration. No export has it, so that the same games give the same bytes whenever they were imported.
ALTER TABLE source ADD COLUMN imported TEXT;
