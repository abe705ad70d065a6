//! Output: one table in every format, at every width; boards and score sheets.

use crownhead::board::{Bitboard, Color, Move, Setup, Square, Variant};
use crownhead::render::{
    DiagramOptions, Format, RenderError, Rendered, SheetMove, TableOptions, board, bytes, clean_for_terminal, cut,
    cut_path, display_width, move_grid, plural, record, render, select_columns, thousands, wrap, wrap_message,
};
use crownhead::table::{Cell, Column, Table};

const COLUMNS: &[Column] = &[
    Column::number("id", 0),
    Column::text("black", 0),
    Column::text("white", 1),
    Column::number("score", 2),
    Column::text("event", 4),
    Column::text("tags", 5),
    Column::text("partly", 3),
];

fn fixture() -> Table {
    let row = |id: i64, black: &str, white: &str, score: Cell, event: &str, tags: &[&str], partly: bool| {
        let tags = tags.iter().map(|&tag| tag.to_owned()).collect::<Vec<_>>();
        vec![id.into(), black.into(), white.into(), score, event.into(), tags.into(), partly.into()]
    };
    Table {
        columns: COLUMNS.into(),
        rows: vec![
            row(1, "林小明", "Константинопольский-Берёзов", 0.5.into(), "=1+2", &["a", "b"], true),
            row(20, "Zoe\u{308} 🙂 Birch", "محمد", 1.0.into(), "Comma, \"quote\"", &[], false),
            row(-3, "A\x1b[31mlder", "line\rBirch", Cell::Null, "first\nsecond | *", &["-x"], false),
            row(460_287, "\u{202e}cba", "", (2.0 / 3.0).into(), "\x1b]0;title\x07plain", &["=y", "z"], true),
        ],
    }
}

fn text(table: &Table, format: Format, options: &TableOptions) -> (String, Rendered) {
    let mut out = Vec::new();
    let rendered = render(table, format, options, &mut out).expect("a table that can be printed");
    (String::from_utf8(out).expect("UTF-8"), rendered)
}

#[test]
fn table_golden() {
    let (printed, rendered) = text(&fixture(), Format::Table, &TableOptions::default());
    let expected = "
    id  black            white                        score  event                     tags   partly
────────────────────────────────────────────────────────────────────────────────────────────────────
     1  林小明           Константинопольский-Берёзов  0.500  =1+2                      a; b   yes
    20  Zoe\u{308} 🙂 Birch     محمد                         1.000  Comma, \"quote\"                   no
    -3  A\\u{1b}[31mlder  line\\u{d}Birch                      first second | *          -x     no
460287  \\u{202e}cba                                   0.667  \\u{1b}]0;title\\u{7}plain  =y; z  yes
";
    assert_eq!(printed, expected[1..], "\n{printed}");
    assert_eq!(rendered, Rendered::default());
}

#[test]
fn table_drops_columns_by_rank_then_cuts() {
    let options = TableOptions { width: Some(48), ..TableOptions::default() };
    let (printed, rendered) = text(&fixture(), Format::Table, &options);
    assert_eq!(rendered.hidden_columns, ["event", "tags", "partly"]);
    assert_eq!(rendered.cut_cells, 1);
    assert!(printed.contains("Константинополь") && printed.contains('…'), "{printed}");
    assert!(text(&fixture(), Format::Table, &TableOptions { ascii: true, ..options }).0.contains("..."));
}

#[test]
fn chosen_columns_are_kept_in_their_order_at_any_width() {
    let columns = Some(vec!["tags".to_owned(), "Black".to_owned(), "tags".to_owned()]);
    let options = TableOptions { width: Some(12), columns, ..TableOptions::default() };
    let (printed, rendered) = text(&fixture(), Format::Table, &options);
    assert!(printed.starts_with("tags   black\n"), "{printed}");
    assert!(rendered.hidden_columns.is_empty());
    let (printed, _) = text(&fixture(), Format::Csv, &options);
    assert!(printed.starts_with("tags,black\na; b,林小明\n"), "{printed}");
}

const GROUPED: &[Column] = &[
    Column::text("move", 0),
    Column::number("black_wins", 2).headed("B").grouped("results"),
    Column::number("draws", 2).headed("=").grouped("results"),
    Column::path("source", 3),
    Column::number("white_wins", 2).headed("W").grouped("results"),
    Column::text("value", 1).grouped("value"),
    Column::text("witness", 1).grouped("value"),
];

fn grouped() -> Table {
    let row = |source: &str, value: Option<&str>| {
        vec!["11-15".into(), 1_u8.into(), 20_u8.into(), source.into(), 3_u8.into(), value.into(), Cell::Null]
    };
    Table { columns: GROUPED.into(), rows: vec![row("old/books/anderson.txt", Some("draw")), row("a.pdn", None)] }
}

#[test]
fn headings_are_for_people_and_names_for_programs() {
    let (printed, _) = text(&grouped(), Format::Table, &TableOptions::default());
    assert!(printed.starts_with("move   B   =  source                  W  value  witness\n"), "{printed}");
    for (format, head) in [
        (Format::Csv, "move,black_wins,"),
        (Format::Json, "[\n  {\n    \"move\""),
        (Format::Markdown, "| move | black_wins |"),
    ] {
        let printed = text(&grouped(), format, &TableOptions::default()).0;
        assert!(printed.starts_with(head), "{printed}");
    }
    // A heading is understood where a name is.
    for name in ["white_wins", "W", " w", "White-Wins"] {
        assert_eq!(select_columns(GROUPED, Some(&[name.to_owned()])).unwrap(), [4], "{name}");
    }
}

#[test]
fn a_group_is_shown_or_hidden_as_one() {
    for width in 0..60 {
        let options = TableOptions { width: Some(width), ..TableOptions::default() };
        let (printed, rendered) = text(&grouped(), Format::Table, &options);
        let head: Vec<_> = printed.lines().next().unwrap_or_default().split_whitespace().collect();
        for group in [&["B", "=", "W"][..], &["value", "witness"]] {
            let shown = group.iter().filter(|heading| head.contains(heading)).count();
            assert!(shown == 0 || shown == group.len(), "{width}: {printed}");
        }
        assert_eq!(head.len() + rendered.hidden_columns.len(), GROUPED.len(), "{width}: {printed}");
        // Never out of the order of ranks.
        assert!(!head.contains(&"B") || head.contains(&"value"), "{width}: {printed}");
    }
    // Of a group that holds something every column is there, of one that holds nothing none.
    let mut empty = grouped();
    empty.rows.remove(0);
    let (printed, rendered) = text(&empty, Format::Table, &TableOptions::default());
    assert!(!printed.contains("value") && rendered.hidden_columns.is_empty(), "{printed}");
}

#[test]
fn all_columns_are_a_choice_in_every_format() {
    let all = |names: &[&str], width| TableOptions {
        width,
        columns: Some(names.iter().map(|&name| name.to_owned()).collect()),
        ..TableOptions::default()
    };
    for &format in Format::ALL {
        let every = text(&grouped(), format, &TableOptions::default()).0;
        assert_eq!(text(&grouped(), format, &all(&["all"], None)).0, every);
        assert_eq!(text(&grouped(), format, &all(&[" ALL", "move"], None)).0, every);
    }
    let first = text(&grouped(), Format::Csv, &all(&["source", "all"], None)).0;
    assert!(first.starts_with("source,move,black_wins,draws,white_wins,value,witness\n"), "{first}");
    // Where a table would be too wide, a row is a record.
    let (narrow, rendered) = text(&grouped(), Format::Table, &all(&["all"], Some(30)));
    let expected = "\
move        11-15
black_wins  1
draws       20
source      old/books/anderson
            .txt
white_wins  3
value       draw

move        11-15
black_wins  1
draws       20
source      a.pdn
white_wins  3
";
    assert_eq!(narrow, expected, "\n{narrow}");
    assert!(rendered.hidden_columns.is_empty());
    // A column of that name is that column.
    let named = Table { columns: vec![Column::text("all", 0), Column::text("b", 0)].into(), rows: Vec::new() };
    assert_eq!(text(&named, Format::Csv, &all(&["all"], None)).0, "all\n");
}

/// Cases 85 and 86: every width, no panic, no hostile character, no line too wide, no mark without its letter.
#[test]
fn every_width_is_safe() {
    for width in 0..=200_u16 {
        for ascii in [false, true] {
            let options = TableOptions { width: Some(width), ascii, ..TableOptions::default() };
            let (printed, _) = text(&fixture(), Format::Table, &options);
            for line in printed.lines() {
                // Two columns of rank 0 and the gap need four.
                assert!(display_width(line) <= usize::from(width).max(4), "{width}: {line}");
                assert!(!line.contains(" \u{308}") && !line.starts_with('\u{308}'), "{width}: {line}");
            }
            let shown = record(COLUMNS, &fixture().rows[0], &options).unwrap();
            assert!(shown.lines().count() >= 7);
            for row in &fixture().rows {
                assert_shown(&record(COLUMNS, row, &options).unwrap());
            }
            assert_shown(&printed);
        }
    }
}

fn assert_shown(printed: &str) {
    let hostile = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!printed.contains(hostile), "{printed:?}");
}

#[test]
fn colour_is_bold_header_only() {
    let (plain, _) = text(&fixture(), Format::Table, &TableOptions::default());
    let (colored, _) = text(&fixture(), Format::Table, &TableOptions { color: true, ..TableOptions::default() });
    let head = plain.lines().next().unwrap();
    assert_eq!(colored, plain.replacen(head, &format!("\x1b[1m{head}\x1b[0m"), 1));
}

#[test]
fn very_long_cells_do_not_overflow() {
    let long = "x".repeat(100_000);
    let rows = vec![vec![Cell::Text(long); 20]];
    const MANY: &[Column] = &[const { Column::text("c", 0) }; 20];
    let (printed, rendered) = text(&Table { columns: MANY.into(), rows }, Format::Table, &TableOptions::default());
    assert_eq!((printed.lines().count(), rendered.cut_cells), (3, 20));
}

#[test]
fn csv_golden() {
    let (printed, _) = text(&fixture(), Format::Csv, &TableOptions { width: Some(10), ..TableOptions::default() });
    let expected = "\
id,black,white,score,event,tags,partly
1,林小明,Константинопольский-Берёзов,0.5,=1+2,a; b,true
20,Zoe\u{308} 🙂 Birch,محمد,1,\"Comma, \"\"quote\"\"\",,false
-3,A\x1b[31mlder,\"line\rBirch\",,\"first\nsecond | *\",-x,false
460287,\u{202e}cba,,0.667,\x1b]0;title\x07plain,=y; z,true
";
    assert_eq!(printed, expected);
}

/// Case 77: texts that start like a formula get an apostrophe, numbers never.
#[test]
fn csv_for_a_spreadsheet() {
    let (printed, _) = text(&fixture(), Format::Csv, &TableOptions { spreadsheet: true, ..TableOptions::default() });
    assert!(printed.starts_with("\u{feff}id,black,"));
    assert!(printed.contains(",'=1+2,a; b,") && printed.contains(",'-x,") && printed.contains("\n-3,"), "{printed}");
    assert!(printed.contains(",'=y; z,"));
    const TEXT: &[Column] = &[Column::text("t", 0)];
    for (cell, expected) in [
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("\t=H", "'\t=H"),
        ("\r=H", "\"'\r=H\""),
        ("a=1", "a=1"),
    ] {
        let table = Table { columns: TEXT.into(), rows: vec![vec![cell.into()]] };
        let (printed, _) = text(&table, Format::Csv, &TableOptions { spreadsheet: true, ..TableOptions::default() });
        assert_eq!(printed, format!("\u{feff}t\n{expected}\n"));
    }
}

#[test]
fn json_golden() {
    let mut table = fixture();
    table.rows.drain(..2);
    let (printed, _) = text(&table, Format::Json, &TableOptions::default());
    let expected = r#"[
  {
    "id": -3,
    "black": "A\u001b[31mlder",
    "white": "line\rBirch",
    "score": null,
    "event": "first\nsecond | *",
    "tags": [
      "-x"
    ],
    "partly": false
  },
  {
    "id": 460287,
    "black": "RLOcba",
    "white": "",
    "score": 0.667,
    "event": "\u001b]0;title\u0007plain",
    "tags": [
      "=y",
      "z"
    ],
    "partly": true
  }
]
"#;
    assert_eq!(printed, expected.replace("RLO", "\u{202e}"));
    let whole: serde_json::Value =
        serde_json::from_str(&text(&fixture(), Format::Json, &TableOptions::default()).0).unwrap();
    let (lines, _) = text(&fixture(), Format::Ndjson, &TableOptions::default());
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(whole, serde_json::Value::Array(lines));
}

#[test]
fn markdown_golden() {
    let (printed, _) = text(&fixture(), Format::Markdown, &TableOptions::default());
    let expected = "\
| id | black | white | score | event | tags | partly |
| ---: | --- | --- | ---: | --- | --- | --- |
| 1 | 林小明 | Константинопольский-Берёзов | 0.5 | =1+2 | a; b | true |
| 20 | Zoe\u{308} 🙂 Birch | محمد | 1 | Comma, \"quote\" |  | false |
| -3 | A\\\\u{1b}\\[31mlder | line\\\\u{d}Birch |  | first second \\| \\* | -x | false |
| 460287 | \\\\u{202e}cba |  | 0.667 | \\\\u{1b}]0;title\\\\u{7}plain | =y; z | true |
";
    assert_eq!(printed, expected);
    assert_shown(&printed);
}

#[test]
fn a_table_without_rows() {
    let table = Table { columns: COLUMNS.into(), rows: Vec::new() };
    let printed = Format::ALL.iter().map(|&format| text(&table, format, &TableOptions::default()).0);
    let head =
        "| id | black | white | score | event | tags | partly |\n| ---: | --- | --- | ---: | --- | --- | --- |\n";
    assert_eq!(printed.collect::<Vec<_>>(), ["", "id,black,white,score,event,tags,partly\n", "[]\n", "", head]);
}

#[test]
fn unknown_columns_are_named_with_what_was_meant() {
    let error = select_columns(COLUMNS, Some(&["wihte".to_owned()])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no column `wihte`; did you mean `white`? (the columns are id, black, white, score, event, tags, partly)"
    );
    let options = TableOptions { columns: Some(vec!["q\x1b".to_owned()]), ..TableOptions::default() };
    let mut out = Vec::new();
    let error = render(&fixture(), Format::Csv, &options, &mut out).unwrap_err();
    assert!(matches!(&error, RenderError::UnknownColumn(_)) && out.is_empty());
    assert!(error.to_string().starts_with("no column `q\\u{1b}` (the"), "{error}");
}

#[test]
fn names_of_formats() {
    for &format in Format::ALL {
        assert_eq!(Format::from_name(&format.name().to_uppercase()), Some(format));
    }
    assert_eq!(Format::from_name("xml"), None);
}

#[test]
fn record_golden() {
    let options = TableOptions { width: Some(32), ..TableOptions::default() };
    let shown = record(COLUMNS, &fixture().rows[0], &options).unwrap();
    let expected = "\
id      1
black   林小明
white   Константинопольский-Берё
        зов
score   0.5
event   =1+2
tags    a; b
partly  yes
";
    assert_eq!(shown, expected, "\n{shown}");
}

fn square(number: u32) -> Square {
    Square::from_number(number, 32).expect("a square of the board")
}

#[test]
fn board_golden() {
    let start = Setup::start(Variant::English);
    let shown = board(&start, &DiagramOptions::default());
    let expected = "
   ┌────────────────────────────────┐
 1 │     ●       ●       ●       ●  │ 4
 5 │ ●       ●       ●       ●      │ 8
 9 │     ●       ●       ●       ●  │ 12
13 │ 13      14      15      16     │ 16
17 │     17      18      19      20 │ 20
21 │ ○       ○       ○       ○      │ 24
25 │     ○       ○       ○       ○  │ 28
29 │ ○       ○       ○       ○      │ 32
   └────────────────────────────────┘
   Black (●) to move
";
    assert_eq!(shown, expected[1..], "\n{shown}");
}

#[test]
fn board_after_a_capture_seen_by_black_in_ascii() {
    let mut setup = Setup::empty(Variant::English);
    setup.turn = Some(Color::White);
    setup.black.insert(square(25));
    setup.black.insert(square(32));
    setup.white.insert(square(1));
    setup.kings.insert(square(1));
    setup.kings.insert(square(32));
    let last = Move { from: square(18), to: square(25), captured: Bitboard::from_square(square(22)) };
    let options = DiagramOptions { ascii: true, bottom: Color::Black, last_move: Some(last), ..Default::default() };
    let shown = board(&setup, &options);
    let expected = "
   +--------------------------------+
32 |     B       31      30      29 | 29
28 | 28      27      26     [b ]    | 25
24 |     24      23     (22)     21 | 21
20 | 20      19     [18]     17     | 17
16 |     16      15      14      13 | 13
12 | 12      11      10       9     | 9
 8 |      8       7       6       5 | 5
 4 |  4       3       2      W      | 1
   +--------------------------------+
   White (w) to move
";
    assert_eq!(shown, expected[1..], "\n{shown}");
    assert!(shown.is_ascii());
    let plain = DiagramOptions { numbers: false, ..options };
    assert!(board(&setup, &plain).contains("[. ]"));
}

#[test]
fn boards_have_one_width() {
    let mut setup = Setup::start(Variant::English);
    setup.kings = setup.variant.geometry().all();
    setup.turn = None;
    let shown = board(&setup, &DiagramOptions::default());
    assert!(shown.contains("●K") && shown.ends_with("side to move not given\n"));
    let ends: Vec<_> =
        shown.lines().skip(1).take(8).map(|line| display_width(&line[..line.rfind('│').unwrap()])).collect();
    assert_eq!(ends, [36; 8]);
    let colored = board(&setup, &DiagramOptions { color: true, ..Default::default() });
    let mut plain = colored;
    for code in ["\x1b[0m", "\x1b[2m", "\x1b[7m", "\x1b[1;31m", "\x1b[1m"] {
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, shown);
}

fn sheet(plies: std::ops::RangeInclusive<u32>) -> Vec<SheetMove> {
    plies
        .map(|ply| SheetMove {
            ply,
            color: if ply % 2 == 1 { Color::Black } else { Color::White },
            text: if ply == 12 { "22x15".to_owned() } else { format!("{ply}-{}", ply + 4) },
            mark: if ply == 12 { " *" } else { "" }.to_owned(),
        })
        .collect()
}

#[test]
fn score_sheets() {
    assert_eq!(move_grid(sheet(1..=3), None), "   Black  White\n1. 1-5    2-6\n2. 3-7\n");
    let later = move_grid(sheet(4..=6), Some(80));
    assert_eq!(later, "   Black  White\n2. ...    4-8\n3. 5-9    6-10\n");
    let long = move_grid(sheet(1..=36), Some(60));
    assert_eq!(long.lines().count(), 10, "{long}");
    assert!(long.contains(" 6. 11-15  22x15 *"), "{long}");
    assert_eq!(move_grid(sheet(1..=36), None).lines().count(), 19);
    for width in 0..=200 {
        let shown = move_grid(sheet(1..=36), Some(width));
        assert!(shown.lines().all(|line| display_width(line) <= usize::from(width).max(19)), "{width}\n{shown}");
    }
    assert_eq!(move_grid([], Some(80)), "");
}

#[test]
fn words_and_numbers() {
    assert_eq!(plural(1, "game", "games"), "1 game");
    assert_eq!(plural(460_287, "game", "games"), "460,287 games");
    assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    let sizes = [0, 1, 999, 1000, 3_400_000, 999_950, 999_949, u64::MAX].map(bytes);
    assert_eq!(sizes, ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "3.4 MB", "1.0 MB", "999.9 kB", "18446.7 PB"]);
}

#[test]
fn cleaning_cutting_wrapping() {
    assert_eq!(clean_for_terminal("a\r\nb\tc\x1b\r\u{9b}\u{2067}"), "a\nb c\\u{1b}\\u{d}\\u{9b}\\u{2067}");
    assert!(matches!(clean_for_terminal("plain\n"), std::borrow::Cow::Borrowed(_)));
    assert_eq!(
        [0, 1, 2, 3, 4, 5, 6].map(|width| cut("林小明", width, "…").into_owned()),
        ["", "…", "…", "林…", "林…", "林小…", "林小明"]
    );
    assert_eq!(cut("Zoe\u{308} Birch", 4, "…"), "Zoe\u{308}…");
    let path = "/home/a/data/games.txt";
    let cuts = [22, 21, 16, 15, 9, 4, 1].map(|width| cut_path(path, width, "…").into_owned());
    let expected = [path, "…/a/data/games.txt", "…/data/games.txt", "…/games.txt", "…ames.txt", "…txt", "…"];
    assert_eq!(cuts, expected);
    assert_eq!(cut_path("Anderson's Second", 10, "…"), "Anderson'…");
    assert_eq!(cut_path("林/小明", 5, "..."), "...明");
    assert_eq!(cut_path("C:\\games\\a.pdn", 8, "…"), "…\\a.pdn");
    assert_eq!(cut_path("folder/", 4, "…"), "…er/");
    for (text, wrapped) in [
        ("write what `crownhead tune x` wrote", "write what\n`crownhead tune x`\nwrote"),
        ("it is listed by crownhead sources too", "it is listed by\ncrownhead sources\ntoo"),
    ] {
        assert_eq!(wrap_message(text, 18), wrapped);
    }
    let sentence = "error: no column `x`\n  (the columns are /a/very/long/path/of/games, moves)";
    let wrapped = wrap_message(sentence, 20);
    assert_eq!(wrapped, "error: no column `x`\n  (the columns are\n  /a/very/long/path/of/games,\n  moves)");
    assert!(matches!(wrap_message("short\n", 5), std::borrow::Cow::Borrowed("short\n")));
    assert_eq!(wrap("one two  three\n\nfour", 7), ["one two", "three", "", "four"]);
    assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
    assert_eq!(wrap("林小", 1), ["林", "小"]);
}
