-- Why: one player is written in many ways. Which spelling counts as which name is an overlay: the tags stay as they are.

CREATE TABLE player_alias (
    key      TEXT PRIMARY KEY,                     -- of the spelling, see name_key in game/names.rs
    spelling TEXT NOT NULL,                        -- as it was given
    name     TEXT NOT NULL                         -- the name it counts as; never a spelling itself
) STRICT, WITHOUT ROWID;
