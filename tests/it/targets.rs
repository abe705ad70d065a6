//! What a command writes beside the database: never over the database or what is read, and not where nothing was found.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::{TempDir, tempdir};

use crate::support::{Ran, crownhead, crownhead_ends, random_pdn};

struct Place {
    folder: TempDir,
    db: PathBuf,
    pdn: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        let (db, pdn) = (folder.path().join("r.db"), folder.path().join("x.pdn"));
        fs::write(&pdn, random_pdn(5, 4)).unwrap();
        fs::write(folder.path().join("r.names"), "name\tmoves\nMine\t11-15 23-19 9-13\n").unwrap();
        crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
        fs::create_dir(folder.path().join("sub")).unwrap();
        Self { folder, db, pdn }
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Every file, to see that none was changed.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap_or_default()))
            .collect();
        files.sort();
        files
    }

    fn is_refused(&self, args: &[&str], told: &str) {
        let before = self.files();
        let ran: Ran = crownhead(&self.db, args);
        assert_eq!(ran.status, Some(2), "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(told), "{args:?}: {}", ran.err);
        assert_eq!(self.files(), before, "{args:?}");
    }
}

#[cfg(unix)]
fn link(to: &Path, at: &str) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

#[test]
#[cfg(unix)]
fn nothing_is_written_over_the_database_by_whatever_name() {
    let place = Place::new();
    link(&place.db, &place.at("l.png"));
    link(&place.folder.path().join("r.db-wal"), &place.at("wal.svg"));
    fs::hard_link(&place.db, place.at("hard.svg")).unwrap();
    let dotted = place.at("./sub/../r.db");
    for name in [&place.at("r.db"), &dotted, &place.at("l.png"), &place.at("hard.svg")] {
        place.is_refused(&["games", "-o", name], "is the database");
        place.is_refused(&["backup", "--force", name], "is the database");
        place.is_refused(&["tune", name, "--stored"], "is the database");
        place.is_refused(&["prove", "--win", "W:WK19,K23:B12,K28", "--certificate", name], "is the database");
        place.is_refused(&["egdb", "generate", "--pieces", "2", "--bundle", name], "is the database");
    }
    place.is_refused(&["show", "1", "--diagram", &place.at("l.png")], "--diagram");
    place.is_refused(&["show", "1", "--diagram", &place.at("hard.svg")], "--diagram");
    place.is_refused(&["show", "1", "--diagram", &place.at("wal.svg")], "a file of the database");
    for ending in ["-wal", "-shm", "-journal", ".lock"] {
        place.is_refused(&["games", "-o", &place.at(&format!("r.db{ending}"))], "a file of the database");
    }
    // A database that is reached by a link has its files beside itself.
    link(&place.db, &place.at("sub/link.db"));
    let before = place.files();
    let by_link = place.folder.path().join("sub/link.db");
    for name in ["r.db", "r.db-wal", "sub/link.db", "sub/link.db-journal"] {
        let ran = crownhead(&by_link, &["games", "-o", &place.at(name)]);
        assert_eq!(ran.status, Some(2), "{name}: {}", ran.err);
    }
    assert_eq!(place.files(), before);
    // One that is not there yet.
    let ran =
        crownhead(&place.folder.path().join("new.db"), &["import", &place.at("x.pdn"), "-o", &place.at("new.db")]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert_eq!(place.files(), before);
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let place = Place::new();
    let pdn = place.pdn.display().to_string();
    place.is_refused(&["import", &pdn, "-o", &place.at("./x.pdn")], "is what is read");
    place.is_refused(&["verify", &pdn, "-o", &pdn], "is what is read");
    place.is_refused(&["import", &place.at(""), "-o", &pdn], "is what is read");
    place.is_refused(&["--names", &place.at("r.names"), "games", "-o", &place.at("r.names")], "is what is read");
    place.is_refused(
        &["show", "1", "--diagram", &place.at("a.svg"), "-o", &place.at("sub/../a.svg")],
        "is the file of --diagram",
    );
    // Beside it is as good a place as any.
    crownhead_ends(&place.db, 0, &["verify", &place.at(""), "-o", &place.at("found.csv")]);
    assert!(Path::new(&place.at("found.csv")).exists());
}

#[test]
fn a_file_stays_as_it_is_where_nothing_is_found() {
    let place = Place::new();
    let kept = place.at("k.out");
    fs::write(&kept, "kept").unwrap();
    let commands: [&[&str]; 6] = [
        &["games", "--player", "nobody"],
        &["--format", "csv", "games", "--player", "nobody"],
        &["export", "csv", "--player", "nobody"],
        &["export", "json", "--player", "nobody"],
        &["export", "pdn", "--player", "nobody"],
        &["export", "tree", "--player", "nobody"],
    ];
    for command in commands {
        let ran = crownhead(&place.db, &[command, &["--force", "-o", &kept]].concat());
        assert_eq!(ran.status, Some(1), "{command:?}: {}", ran.err);
        assert_eq!(fs::read_to_string(&kept).unwrap(), "kept", "{command:?}");
        assert!(ran.err.contains("k.out is left as it was"), "{command:?}: {}", ran.err);
    }
    // An error spoils nothing either.
    assert_eq!(crownhead(&place.db, &["show", "999", "--force", "-o", &kept]).status, Some(1));
    assert_eq!(crownhead(&place.db, &["--sort", "nonsense", "games", "--force", "-o", &kept]).status, Some(2));
    assert_eq!(fs::read_to_string(&kept).unwrap(), "kept");
    // What is found takes its place; so does a check that finds nothing wrong.
    crownhead_ends(&place.db, 0, &["--format", "csv", "games", "--force", "-o", &kept]);
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 5);
    crownhead_ends(&place.db, 0, &["--format", "csv", "check", "--force", "-o", &kept]);
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 1);
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_nowhere_yet_is_written_through() {
    let place = Place::new();
    let claim = ["prove", "--not-loss", "W:WK19,K23:B12,K28", "--certificate"];
    let writers: [(&str, &[&str]); 5] = [
        ("copy.db", &["backup", "--force"]),
        ("board.svg", &["show", "1", "--diagram"]),
        ("board.png", &["show", "1", "--diagram"]),
        ("foster.proof", &claim),
        ("games.csv", &["export", "csv", "-o"]),
    ];
    let is_link = |name: &str, to: &Path| fs::read_link(place.at(name)).is_ok_and(|found| found == to);
    let names = |folder: &str| {
        let entries = fs::read_dir(place.at(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    for (name, args) in writers {
        // A link that is relative to its folder, and a link to that link.
        let target = Path::new("sub").join(name);
        link(&target, &place.at(name));
        let second = format!("second_{name}");
        link(Path::new(name), &place.at(&second));
        let at_first = names("");
        let run = |name: &str| crownhead_ends(&place.db, 0, &[args, &[&place.at(name)]].concat());
        run(&second);
        let written = fs::read(place.at(&format!("sub/{name}"))).unwrap();
        assert!(!written.is_empty(), "{name}");
        run(name);
        assert!(
            fs::read(place.at(&format!("sub/{name}"))).unwrap() == written,
            "{name}: the second run writes the same"
        );
        assert!(is_link(name, &target) && is_link(&second, Path::new(name)), "{name}");
        assert_eq!(names(""), at_first, "{name}");
        assert_eq!(names("sub"), [name]);
        fs::remove_file(place.at(&format!("sub/{name}"))).unwrap();
        // Where its folder is not there either, the folder is named and nothing is made.
        let lost = format!("lost_{name}");
        link(&Path::new("none").join(name), &place.at(&lost));
        let ran = crownhead(&place.db, &[args, &[&place.at(&lost)]].concat());
        assert_eq!(ran.status, Some(2), "{name}: {}", ran.err);
        assert!(ran.err.contains("none does not exist"), "{name}: {}", ran.err);
        assert!(is_link(&lost, &Path::new("none").join(name)) && !Path::new(&place.at("none")).exists(), "{name}");
    }
}

#[test]
#[cfg(unix)]
fn certificates_go_through_a_link_to_a_folder_and_none_is_made_for_a_link() {
    let place = Place::new();
    // The end of the seventh illustrative game: Black is blocked, which is proved.
    let game = "10-15 23-18 12-16 21-17 16-19 17-14 9-13 24-20 8-12 25-21 12-16 21-17 4-8 29-25 6-9 27-24 1-6 32-27 6-10 \
                27-23 8-12 25-21 2-6 31-27 3-8 30-25 0-1";
    fs::write(&place.pdn, format!("[Event \"Blocked\"]\n[Result \"0-1\"]\n{game}\n")).unwrap();
    let db = place.folder.path().join("blocked.db");
    crownhead_ends(&db, 0, &["--quiet", "import", place.pdn.to_str().unwrap()]);
    link(Path::new("sub"), &place.at("proofs"));
    link(Path::new("missing"), &place.at("lost"));
    let annotate = |folder: &str| {
        let limits = ["--again", "--nodes", "4000", "--proof-nodes", "20000", "--certificates"];
        crownhead(&db, &[&["annotate"], &limits[..], &[&place.at(folder)]].concat())
    };
    let written = || {
        let entries = fs::read_dir(place.at("sub")).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let mut first = Vec::new();
    for run in 0..2 {
        let ran = annotate("proofs");
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        if run == 0 {
            first = written();
            assert!(!first.is_empty(), "{}", ran.err);
        }
        assert!(written() == first, "the second run writes the same");
        let ran = annotate("lost");
        assert!(ran.status == Some(2) && ran.err.contains("cannot write"), "{}", ran.err);
        for (name, to) in [("proofs", "sub"), ("lost", "missing")] {
            assert_eq!(fs::read_link(place.at(name)).unwrap(), Path::new(to));
        }
        assert!(!Path::new(&place.at("missing")).exists());
    }
}
