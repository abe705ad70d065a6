//! `show`: one stored line, or any position, for people to look at.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::board::{Color, Move};
use crate::files;
use crate::game::{Mark, NoteKind, move_text, moves_text};
use crate::notation::fen;
use crate::query::{self, Filters, GameView, LineCopy, LineView};
use crate::render::{
    self, DiagramOptions, Format, PICTURE_SIZE, PictureMark, PictureOptions, SheetMove, plural, thousands,
};
use crate::rules::Position;
use crate::store::{Database, StoredAnalysis, StoredSwing};
use crate::table::{Table, escaped, quoted};

use super::context::Context;
use super::engine::{database_line, proved};
use super::error::{CliError, Exit};
use super::output::cannot_write;
use super::position_argument;
use super::targets::{Target, TargetKind};
use super::terminal;

const EXAMPLES: &str = "\
Examples:
  crownhead show 3                           a stored game and its last position
  crownhead show 3 --ply 12                  the position after its twelfth ply
  crownhead show 3 --raw                     its text as the sources have it
  crownhead show 3 --source masters          what this source says of it
  crownhead --format csv show 3              a row a ply
  crownhead show \"11-15 23-19\" --top white   any position, White at the top
  crownhead show \"W:WK19:BK12\" --ascii       without box-drawing characters
  crownhead show 3 --ply 12 --diagram a.svg  a picture as well
  crownhead show 3 --diagram a.png --size 1024 --coordinates

?? stands behind a move that annotate found to lose, ? behind another that gave
something away; in brackets where the source has marks of its own.

Pictures show the last move as an arrow, what it took, and its mark: a red
asterisk for a losing move, a star for an only one.";

/// Plies that are told of the play against the losing move, above the board of a long page.
const CONTINUATION_PLIES: usize = 8;

/// Show a stored game, or any position
///
/// A number is the id of a stored line (see crownhead games); anything else is a POSITION.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The id of a stored line; or a FEN, moves, a ballot, an opening's name; none means the start
    #[arg(value_name = "ID|POSITION")]
    what: Vec<String>,
    /// Draw the position after this ply instead of the last, or after the losing move where the line is annotated
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// Print the sources' own texts
    #[arg(long, conflicts_with_all = ["diagram", "ply"])]
    raw: bool,
    /// Of a game that several sources have, show what this one says: part of its name
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Draw the position as a picture into this file too: SVG or PNG, as its name ends
    #[arg(long, value_name = "FILE", value_parser = picture_path)]
    diagram: Option<PathBuf>,
    /// How wide the picture is, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = PICTURE_SIZE, value_parser = clap::value_parser!(u32).range(64..=4096))]
    size: u32,
    /// Put files and ranks on the frame of the picture
    #[arg(long)]
    coordinates: bool,
    /// Show the details too on a terminal: where the line came from and how it was checked
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    board: BoardArgs,
}

impl Args {
    /// Whether it prints the source's own text.
    pub(super) const fn is_raw(&self) -> bool {
        self.raw
    }

    /// The file it writes beside its data.
    pub(super) fn target(&self) -> Option<Target<'_>> {
        let path = self.diagram.as_deref()?;
        Some(Target { option: "--diagram", path, wanted: if is_png(path) { TargetKind::Png } else { TargetKind::Svg } })
    }
}

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let known = is_png(&path) || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if known { Ok(path) } else { Err("pictures are SVG or PNG: end the name with .svg or .png".to_owned()) }
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

/// Draws the picture that was asked for.
fn draw(args: &Args, shown: &Position, last_move: Option<Move>, mark: Option<PictureMark>) -> Result<(), CliError> {
    let Some(path) = &args.diagram else { return Ok(()) };
    let options = PictureOptions {
        bottom: args.board.bottom(),
        last_move,
        mark,
        coordinates: args.coordinates,
        size: args.size,
        ..PictureOptions::default()
    };
    let bytes = if is_png(path) {
        render::board_png(&shown.setup(), &options).map_err(|error| CliError::usage(error.to_string()))?
    } else {
        render::board_svg(&shown.setup(), &options).into_bytes()
    };
    files::write(path, &bytes).map_err(|error| cannot_write(path, &error))
}

/// The mark of the ply that led to the position shown.
fn mark_of(view: &LineView, ply: u32) -> Option<PictureMark> {
    view.notes_at(ply).iter().find_map(|note| match note.kind {
        NoteKind::Mark(Mark::Losing) => Some(PictureMark::Losing),
        NoteKind::Mark(Mark::Star) => Some(PictureMark::Star),
        _ => None,
    })
}

/// How boards are drawn.
#[derive(Debug, clap::Args)]
pub(super) struct BoardArgs {
    /// Draw boards in ASCII
    #[arg(long)]
    ascii: bool,
    /// Draw this side at the top: black or white
    #[arg(long, value_name = "SIDE", default_value = "black", value_parser = ["black", "white"], hide_possible_values = true)]
    top: String,
}

impl BoardArgs {
    fn bottom(&self) -> Color {
        if self.top == "white" { Color::Black } else { Color::White }
    }

    /// The options of a diagram.
    pub(super) fn options(&self, context: &Context) -> DiagramOptions {
        // What is piped or kept in a file is the same wherever it is made.
        let ascii = self.ascii || (context.is_terminal() && !terminal::is_unicode());
        DiagramOptions { ascii, bottom: self.bottom(), color: context.color(), ..DiagramOptions::default() }
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    if args.diagram.is_none() && (args.coordinates || args.size != PICTURE_SIZE) {
        return Err(CliError::usage("--size and --coordinates are of a picture: say with --diagram where it goes"));
    }
    match args.what.as_slice() {
        [number] if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => match number.parse() {
            Ok(id) => stored(context, args, id),
            Err(_) => Err(CliError::usage(format!("{number} is no id of a line"))),
        },
        words => position(context, args, words),
    }
}

fn position(context: &mut Context, args: &Args, words: &[String]) -> Result<Exit, CliError> {
    if context.args.format != Format::Table {
        return Err(CliError::usage("a position is drawn, not listed")
            .hint("for data about it: crownhead moves, crownhead identify or crownhead the-move"));
    }
    let named = position_argument::position(context, words)?;
    let before = |ply: usize| named.moves[..ply].iter().fold(named.start, |p, played| p.play_unchecked(played));
    let plies = checked_ply(args.ply, named.moves.len(), "these moves have")?;
    let shown = before(plies);
    let last_move = plies.checked_sub(1).and_then(|last| named.moves.get(last)).copied();
    let options = DiagramOptions { last_move, ..args.board.options(context) };
    draw(args, &shown, last_move, None)?;
    let diagram = render::board(&shown.setup(), &options);
    let name = context.book()?.at(shown.key()).map(|named| named.name.clone());
    let text = format!("{diagram}{}\n{}\n", fen::write(&shown.setup()), legal_line(&shown));
    write!(context.out(), "{text}")?;
    if let Some(value) = value_of(context, &shown)? {
        writeln!(context.out(), "{value}")?;
    }
    if let Some(name) = name {
        writeln!(context.out(), "{name}")?;
    }
    Ok(Exit::Done)
}

/// What endgame databases prove of a position in which there is a move.
fn value_of(context: &Context, shown: &Position) -> Result<Option<String>, CliError> {
    if !shown.has_legal_move() {
        return Ok(None);
    }
    Ok(proved(context, shown)?.map(|proved| database_line(shown, proved)))
}

fn legal_line(position: &Position) -> String {
    let legal = position.legal_moves();
    if legal.is_empty() {
        return format!("{} has no move and has lost.", position.turn());
    }
    format!("Legal: {}", moves_text(position, &legal))
}

fn stored(context: &mut Context, args: &Args, id: u32) -> Result<Exit, CliError> {
    let database = context.database()?;
    let mut copies = query::copies(&database, id)?;
    if copies.is_empty() || database.line_of_copy(id)? != id {
        context.message(&format!("No line has the id {id}. List them with: crownhead games"));
        return Ok(Exit::No);
    }
    // The first copy has the id of the line.
    copies.sort_by_key(|copy| copy.id != id);
    if let Some(source) = &args.source {
        let wanted = Filters { source: Some(source.clone()), ..Filters::default() };
        wanted.check_words()?;
        copies.retain(|copy| wanted.has_source(&copy.source));
        copies.truncate(1);
    }
    let Some(copy) = copies.first() else {
        let source = args.source.as_deref().unwrap_or_default();
        context.message(&format!("No source called {} has line {id}. See: crownhead show {id}", quoted(source)));
        return Ok(Exit::No);
    };
    if args.raw {
        return raw(context, &database, &copies);
    }
    let Some(view) = query::show(&database, copy.id)? else { return Ok(Exit::No) };
    let analysis = database.analysis(id)?;
    let losing = analysis.as_ref().and_then(|analysis| analysis.losing_ply);
    let ply = checked_ply(args.ply.or(losing), view.main.line.moves.len(), &format!("line {id} has"))?;
    let (shown, last_move) = at_ply(&view.main, ply);
    let found = losing.filter(|losing| *losing as usize == ply).map(|_| PictureMark::Losing);
    draw(args, &shown, last_move, mark_of(&view.main, ply as u32).or(found))?;
    if context.args.format != Format::Table {
        let rows = query::record(&database, copy.id)?.map(|record| record.plies()).unwrap_or_default();
        context.print(Table::from_rows(rows), true)?;
        return Ok(Exit::Done);
    }
    let lines = line_ids(&database, &view)?;
    let mut text = describe(context, args, id, &view, &lines, analysis.as_ref());
    text.push_str(&other_copies(context, &database, &copies)?);
    let is_brief = context.hides_details(args.all);
    let (found, hidden_findings) = match &analysis {
        Some(analysis) => findings(&view, analysis, context.width(), is_brief),
        None => (String::new(), 0),
    };
    let mut last = last_board(context, args, &view, analysis.as_ref(), ply);
    if let Some(value) = value_of(context, &shown)? {
        last.push_str(&format!("{value}\n"));
    }
    // The line about details and the next prompt stand below it.
    let lines = text.lines().count() + found.lines().count() + last.lines().count() + 3;
    let scrolls = context.screen_height().is_some_and(|height| lines > usize::from(height));
    let again = if scrolls { reminder(context, &database, id)? } else { String::new() };
    write!(context.out(), "{text}\n{again}{found}{last}")?;
    if is_brief {
        let fields = view.fields.iter().filter(|(name, _)| is_detail(name)).count();
        context.say_hidden_details(fields + hidden_findings);
    }
    Ok(Exit::Done)
}

/// Prints the texts of copies as their sources have them; of several, each below a line that names its source, which readers of PDN
/// leave alone.
fn raw(context: &mut Context, database: &Database, copies: &[LineCopy]) -> Result<Exit, CliError> {
    for (at, copy) in copies.iter().enumerate() {
        let mut text = database.raw_text(copy.id)?.unwrap_or_default();
        if copies.len() > 1 {
            let gap = if at > 0 { "\n" } else { "" };
            text = format!("{gap}% {}, line {}\n{text}", copy.source.replace('\n', " "), copy.place);
        }
        // Raw text is for programs and files; a terminal gets it cleaned.
        let text = if context.is_terminal() { render::clean_for_terminal(&text).into_owned() } else { text };
        writeln!(context.out(), "{}", text.trim_end())?;
    }
    Ok(Exit::Done)
}

/// What the copies behind the first say otherwise: tags, notes and variations, by source.
fn other_copies(context: &Context, database: &Database, copies: &[LineCopy]) -> Result<String, CliError> {
    let mut text = String::new();
    let Some((first, others)) = copies.split_first() else { return Ok(text) };
    if others.is_empty() {
        return Ok(text);
    }
    let Some(shown) = query::record(database, first.id)? else { return Ok(text) };
    let width = context.width();
    for copy in others {
        let (Some(record), Some(view)) = (query::record(database, copy.id)?, query::show(database, copy.id)?) else {
            continue;
        };
        let verdict = record.verdict.iter().map(|verdict| ("Verdict", verdict.as_str()));
        let tags = record.tags.iter().filter(|tag| !shown.tags.contains(tag));
        let mut own = String::new();
        for (name, value) in tags.map(|(name, value)| (name.as_str(), value.as_str())).chain(verdict) {
            own.push_str(&format!("  {}: {}\n", render::clean_for_terminal(name), render::clean_for_terminal(value)));
        }
        let marks: String = (1..=view.main.texts.len() as u32)
            .filter_map(|ply| Some((ply, view.main.marks_at(ply))).filter(|(_, marks)| !marks.is_empty()))
            .map(|(ply, marks)| format!("  ply {ply} {}{marks}\n", view.main.texts[ply as usize - 1]))
            .collect();
        own.push_str(&marks);
        own.push_str(&notes(&view.main, 1, width));
        own.push_str(&variations(&view, copy.id, &line_ids(database, &view)?, width));
        if !own.is_empty() {
            let head = format!("In {}, line {}:", copy.source, copy.place);
            text.push_str(&format!("\n{}\n{own}", render::clean_for_terminal(&head)));
        }
    }
    Ok(text)
}

/// Fields of a line that say where it came from and how it was checked, not what was played.
fn is_detail(field: &str) -> bool {
    matches!(field, "kind" | "source" | "place" | "result_check" | "status" | "ballot" | "result")
}

/// What stands above the board again where the head of a long page has left the screen: who played, and how it ended.
fn reminder(context: &Context, database: &Database, id: u32) -> Result<String, CliError> {
    let head = query::LineTitle::read(database, id)?.map(|head| head.sentence()).filter(|head| !head.is_empty());
    let width = usize::from(context.width());
    let lines = head.into_iter().flat_map(|head| render::wrap(&render::clean_for_terminal(&head), width));
    Ok(lines.map(|line| format!("{line}\n")).collect())
}

/// A stored line as text, but for what annotate found and for its board.
fn describe(
    context: &Context,
    args: &Args,
    line: u32,
    view: &GameView,
    lines: &HashMap<u32, u32>,
    analysis: Option<&StoredAnalysis>,
) -> String {
    let width = context.width();
    let hides = context.hides_details(args.all);
    let mut text = format!("Line {line}\n");
    let key_width = view.fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in view.fields.iter().filter(|(name, _)| !hides || !is_detail(name)) {
        text.push_str(&format!("{name:<key_width$}  {}\n", escaped(value)));
    }
    for other in &view.also_in {
        text.push_str(&format!("{:<key_width$}  {}\n", "also in", escaped(other)));
    }
    if view.main.line.start != Position::start(view.main.line.start.variant()) {
        text.push_str(&format!("{:<key_width$}  {}\n", "start", fen::write(&view.main.line.start.setup())));
    }
    text.push('\n');
    let signs = Signs::new(&view.main, analysis);
    text.push_str(&sheet(&view.main, &signs, width));
    text.push_str(signs.legend());
    text.push_str(&notes(&view.main, 1, width));
    text.push_str(&variations(view, view.main.line.id, lines, width));
    text
}

/// The lines of the variations of a copy of a game, by their rows.
fn line_ids(database: &Database, view: &GameView) -> Result<HashMap<u32, u32>, CliError> {
    let rows = view.branches.iter().map(|(.., branch)| branch.line.id);
    rows.map(|row| Ok((row, database.line_of_copy(row)?))).collect()
}

/// The variations of a copy of a game, `id` its row, with the ids of their lines.
fn variations(view: &GameView, id: u32, lines: &HashMap<u32, u32>, width: u16) -> String {
    let mut text = String::new();
    // Plies of the game before each line, by its id: a variation of a variation counts on from where its parent left.
    let mut before: HashMap<u32, u32> = HashMap::from([(id, 0)]);
    for (parent, ply, label, branch) in &view.branches {
        let first = before.get(parent).copied().unwrap_or(0) + ply;
        before.insert(branch.line.id, first.saturating_sub(1));
        let label = render::clean_for_terminal(label.as_deref().unwrap_or_default()).into_owned();
        let line_of = |row: u32| lines.get(&row).copied().unwrap_or(row);
        let from = if *parent == id { String::new() } else { format!(" of line {}", line_of(*parent)) };
        let head =
            format!("\nVariation {label} at ply {first}{from} (line {}):", line_of(branch.line.id)).replace("  ", " ");
        text.push_str(&render::clean_for_terminal(&head));
        text.push('\n');
        text.push_str(&branch_text(branch, first, width));
        text.push_str(&notes(branch, first, width));
    }
    text
}

/// The board of a line after `ply`, with what is said of the position.
fn last_board(
    context: &Context,
    args: &Args,
    view: &GameView,
    analysis: Option<&StoredAnalysis>,
    ply: usize,
) -> String {
    let (shown, last_move) = at_ply(&view.main, ply);
    let mut text = String::new();
    if args.ply.is_none() && analysis.is_some_and(|analysis| analysis.losing_ply == Some(ply as u32)) {
        let played = ply.checked_sub(1).and_then(|index| view.main.texts.get(index)).map_or("", String::as_str);
        text.push_str(&format!("After the losing move, ply {ply} {played}:\n"));
    }
    text.push_str(&render::board(&shown.setup(), &DiagramOptions { last_move, ..args.board.options(context) }));
    text.push_str(&format!("{}\n", fen::write(&shown.setup())));
    if shown.legal_moves().is_empty() {
        text.push_str(&format!("{}\n", legal_line(&shown)));
    }
    text
}

/// The ply to draw: the one asked for, or the last of `plies`.
fn checked_ply(asked: Option<u32>, plies: usize, who: &str) -> Result<usize, CliError> {
    match asked.map(|ply| ply as usize) {
        None => Ok(plies),
        Some(ply) if ply <= plies => Ok(ply),
        Some(ply) => {
            let told = plural(plies as u64, "ply", "plies");
            Err(CliError::usage(format!("there is no ply {ply}: {who} {told}")))
        }
    }
}

/// The position after `ply` plies of a line, and the move that led to it.
fn at_ply(view: &LineView, ply: usize) -> (Position, Option<Move>) {
    let shown = view.line.positions().nth(ply).unwrap_or(view.line.start);
    (shown, ply.checked_sub(1).and_then(|last| view.line.moves.get(last)).copied())
}

/// What `annotate` puts behind the moves of a score sheet. Where the source has marks too, these stand in brackets.
struct Signs {
    by_ply: BTreeMap<u32, String>,
    beside_the_sources: bool,
}

impl Signs {
    fn new(view: &LineView, analysis: Option<&StoredAnalysis>) -> Self {
        let beside_the_sources = view.notes.iter().any(|note| matches!(note.kind, NoteKind::Mark(_)));
        let swings = analysis.into_iter().flat_map(|analysis| &analysis.swings);
        let sign = |swing: &StoredSwing| match query::remark_mark(swing) {
            "" => None,
            sign if beside_the_sources => Some((swing.ply, format!("({sign})"))),
            sign => Some((swing.ply, sign.to_owned())),
        };
        Self { by_ply: swings.filter_map(sign).collect(), beside_the_sources }
    }

    /// Whose marks they are; nothing where there are none.
    fn legend(&self) -> &'static str {
        match (self.by_ply.is_empty(), self.beside_the_sources) {
            (true, _) => "",
            (false, true) => "Marks: (??) and (?) by annotate, the others by the source.\n",
            (false, false) => "Marks: ?? and ? by annotate; the source has none.\n",
        }
    }
}

fn sheet(view: &LineView, signs: &Signs, width: u16) -> String {
    let moves = view.texts.iter().enumerate().map(|(index, text)| {
        let ply = index as u32 + 1;
        let mark = view.marks_at(ply) + signs.by_ply.get(&ply).map_or("", String::as_str);
        SheetMove { ply, color: view.color_at(ply), text: text.clone(), mark }
    });
    render::move_grid(moves, Some(width))
}

fn branch_text(view: &LineView, from_ply: u32, width: u16) -> String {
    let mut words = Vec::new();
    let mut position = view.line.start;
    for (index, played) in view.line.moves.iter().enumerate() {
        let ply = from_ply + index as u32;
        if ply % 2 == 1 {
            words.push(format!("{}.", ply.div_ceil(2)));
        } else if index == 0 {
            words.push(format!("{}...", ply.div_ceil(2)));
        }
        words.push(move_text(&position, played) + &view.marks_at(index as u32 + 1));
        position = position.play_unchecked(played);
    }
    let lines = render::wrap(&words.join(" "), usize::from(width).saturating_sub(2));
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// What `annotate` found, and how many details of it are left out. In brief these are all but the losing move and the beginning of
/// the play against it.
fn findings(view: &GameView, analysis: &StoredAnalysis, width: u16, is_brief: bool) -> (String, usize) {
    let limits = &analysis.limits;
    let head = format!(
        "Annotated by {} {}, {} positions per move, {} per attempt at a proof, databases of {} pieces:",
        limits.maker,
        limits.version,
        thousands(limits.nodes),
        thousands(limits.proof_nodes),
        limits.pieces
    );
    let played =
        |ply: u32| (ply as usize).checked_sub(1).and_then(|index| view.main.texts.get(index)).map_or("", |x| x);
    let plies = if is_brief { CONTINUATION_PLIES } else { usize::MAX };
    let (mut sentences, mut hidden) = (Vec::new(), 0);
    for swing in &analysis.swings {
        let better = swing.better.as_deref().filter(|line| line.contains(' '));
        if is_brief {
            hidden += usize::from(!swing.is_losing) + usize::from(better.is_some());
        }
        if swing.is_losing || !is_brief {
            sentences.push(query::remark(swing, played(swing.ply), swing.ply, plies));
            sentences.extend(better.filter(|_| !is_brief).map(|line| format!("Better: {line}")));
        }
    }
    let later = analysis.proved_ply.filter(|ply| analysis.losing_ply != Some(*ply));
    sentences.extend(later.map(|ply| query::proved_from(played(ply), ply)));
    if sentences.is_empty() && analysis.swings.is_empty() {
        sentences.push("annotate found no move that changed the value.".to_owned());
    }
    sentences.extend(analysis.note.clone());
    let mut text = String::new();
    if !is_brief {
        text.push_str(&render::wrap(&head, width.into()).join("\n"));
        text.push('\n');
    }
    hidden += usize::from(is_brief);
    for sentence in sentences {
        let lines = render::wrap(&render::clean_for_terminal(&sentence), usize::from(width).saturating_sub(2));
        text.push_str(&lines.iter().map(|line| format!("  {line}\n")).collect::<String>());
    }
    if !is_brief {
        text.push('\n');
    }
    (text, hidden)
}

/// What is attached to a line whose first move stands at `first_ply` of the game.
fn notes(view: &LineView, first_ply: u32, width: u16) -> String {
    let mut text = String::new();
    for note in &view.notes {
        let what = match &note.kind {
            NoteKind::Comment(text) => text.clone(),
            NoteKind::Repaired(text) => format!("the source has {text}", text = quoted(text)),
            // The score sheet has it.
            NoteKind::Mark(_) => continue,
        };
        let played = (note.ply as usize).checked_sub(1).and_then(|index| view.texts.get(index));
        let place = played.map_or("at the start".to_owned(), |played| {
            format!("ply {} {played}", (note.ply + first_ply).saturating_sub(1))
        });
        // Notes are other people's text: nothing in them may reach a terminal as more than letters.
        let words = format!("{place}: {what}");
        let lines = render::wrap(&render::clean_for_terminal(&words), usize::from(width).saturating_sub(2));
        text.push_str(&lines.iter().map(|line| format!("  {line}\n")).collect::<String>());
    }
    text
}
