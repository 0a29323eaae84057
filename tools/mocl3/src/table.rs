//! Tables as text that fit into a terminal: names are shortened, headings are broken at spaces, and
//! columns that have no place continue below. Numbers are never cut.

use crate::terminal::{STRONG, shortened, styled, wrapped};

/// Columns between two columns of a table.
const GAP: usize = 2;

/// Names are not shortened below this.
const SHORTEST_NAME: usize = 16;

/// A cell.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    strong: bool,
}

impl Cell {
    /// A cell that stands out.
    pub fn strong(text: String) -> Self {
        Self { text, strong: true }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self {
            text,
            strong: false,
        }
    }
}

/// Where the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

/// A column of a part of a table.
#[derive(Clone, Debug)]
struct Column {
    heading: String,
    /// Whether the heading has several lines, where it is wider than the cells.
    is_broken: bool,
    place: usize,
    width: usize,
    alignment: Alignment,
    is_name: bool,
}

impl Column {
    fn heading_lines(&self) -> Vec<String> {
        let width = self.is_broken.then_some(self.width);
        let lines = wrapped(&self.heading, width, 0);
        lines.split('\n').map(str::to_owned).collect()
    }
}

/// Rows of cells below a heading.
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<Cell>>,
    names: Vec<usize>,
    numbers_are_right: bool,
    indent: usize,
}

impl Table {
    /// A table with these headings. The first column has names, the others numbers. A column
    /// without heading stays with the one before it.
    pub fn new(heading: &[&str]) -> Self {
        Self {
            heading: heading.iter().map(|&name| name.to_owned()).collect(),
            rows: Vec::new(),
            names: vec![0],
            numbers_are_right: true,
            indent: 0,
        }
    }

    /// A table of words, `indent` columns from the left. The columns `names` may be shortened.
    pub fn of_words(heading: &[&str], names: &[usize], indent: usize) -> Self {
        Self {
            names: names.to_vec(),
            numbers_are_right: false,
            indent,
            ..Self::new(heading)
        }
    }

    /// Adds a row.
    pub fn row<C: Into<Cell>>(&mut self, cells: Vec<C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The lines, with an empty one at the end; at most `width` columns wide, if numbers permit it.
    pub fn text(&self, width: Option<usize>) -> String {
        let mut text = String::new();
        for part in self.parts(width) {
            self.write(&part, &mut text);
            text.push('\n');
        }
        text
    }

    fn column(&self, place: usize, is_broken: bool) -> Column {
        let heading = self.heading.get(place).map_or("", String::as_str);
        let is_name = self.names.contains(&place);
        let cells = self.rows.iter().filter_map(|row| row.get(place));
        let words: Vec<&str> = match is_broken {
            true => heading.split(' ').collect(),
            false => vec![heading],
        };
        let words = words.into_iter().map(|word| word.chars().count());
        let width = cells.map(Cell::width).chain(words).max().unwrap_or(0);
        Column {
            heading: heading.to_owned(),
            is_broken,
            place,
            width,
            alignment: match place > 0 && self.numbers_are_right {
                true => Alignment::Right,
                false => Alignment::Left,
            },
            is_name,
        }
    }

    /// The columns of each part that is shown below the others.
    fn parts(&self, width: Option<usize>) -> Vec<Vec<Column>> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let count = count.max(self.heading.len());
        let columns = |is_broken| -> Vec<Column> {
            (0..count)
                .map(|place| self.column(place, is_broken))
                .collect()
        };
        let plain = columns(false);
        let Some(width) = width.map(|width| width.saturating_sub(self.indent)) else {
            return vec![plain];
        };
        if total(&plain) <= width {
            return vec![plain];
        }
        let mut broken = columns(true);
        shorten(&mut broken, width);
        if total(&broken) <= width || count < 2 {
            return vec![broken];
        }
        self.split(&columns(true), width)
    }

    /// Parts with the first column and as many others as have a place.
    fn split(&self, columns: &[Column], width: usize) -> Vec<Vec<Column>> {
        let mut first = columns[0].clone();
        first.width = first.width.min(SHORTEST_NAME);
        let mut groups: Vec<Vec<Column>> = Vec::new();
        for column in &columns[1..] {
            let is_new = self
                .heading
                .get(column.place)
                .is_some_and(|heading| !heading.is_empty());
            match groups.last_mut().filter(|_| !is_new) {
                Some(group) => group.push(column.clone()),
                None => groups.push(vec![column.clone()]),
            }
        }
        let mut parts: Vec<Vec<Column>> = Vec::new();
        for group in groups {
            let has_place = |part: &Vec<Column>| total(part) + GAP + total(&group) <= width;
            match parts.last_mut().filter(|part| has_place(part)) {
                Some(part) => part.extend(group),
                None => parts.push([vec![first.clone()], group].concat()),
            }
        }
        for part in &mut parts {
            part[0] = columns[0].clone();
            shorten(part, width);
        }
        parts
    }

    fn write(&self, columns: &[Column], text: &mut String) {
        let headings: Vec<_> = columns.iter().map(Column::heading_lines).collect();
        let lines = headings.iter().map(Vec::len).max().unwrap_or(1);
        for line in 0..lines {
            let cells = columns.iter().zip(&headings).map(|(column, heading)| {
                // The last lines of all headings are one line.
                let at = (line + heading.len()).checked_sub(lines);
                let text = at.map_or("", |at| heading[at].as_str());
                Cell::strong(shortened(text, column.width))
            });
            self.write_line(columns, cells, text);
        }
        for row in &self.rows {
            let cells = columns.iter().map(|column| {
                let mut cell = row.get(column.place).cloned().unwrap_or_default();
                if column.is_name {
                    cell.text = shortened(&cell.text, column.width);
                }
                cell
            });
            self.write_line(columns, cells, text);
        }
    }

    fn write_line(&self, columns: &[Column], cells: impl Iterator<Item = Cell>, text: &mut String) {
        // Spaces that precede nothing are not written.
        let mut spaces = self.indent;
        for (column, cell) in columns.iter().zip(cells) {
            let free = column.width.saturating_sub(cell.width());
            let (before, after) = match column.alignment {
                Alignment::Left => (0, free),
                Alignment::Right => (free, 0),
            };
            if cell.text.is_empty() {
                spaces += before + after;
            } else {
                *text += &" ".repeat(spaces + before);
                *text += &match cell.strong {
                    true => styled(STRONG, &cell.text),
                    false => cell.text,
                };
                spaces = after;
            }
            spaces += GAP;
        }
        text.push('\n');
    }
}

fn total(columns: &[Column]) -> usize {
    let widths: usize = columns.iter().map(|column| column.width).sum();
    widths + GAP * columns.len().saturating_sub(1)
}

/// Shortens the widest names until the columns have a place, or all names are at their shortest.
fn shorten(columns: &mut [Column], width: usize) {
    while total(columns) > width {
        let names = columns.iter_mut().filter(|column| column.is_name);
        match names.max_by_key(|column| column.width) {
            Some(widest) if widest.width > SHORTEST_NAME => widest.width -= 1,
            _ => break,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Table};
    use crate::terminal::{STRONG, styled};

    /// The text without escape codes.
    fn plain(table: &Table, width: Option<usize>) -> String {
        anstream::adapter::strip_str(&table.text(width)).to_string()
    }

    fn example() -> Table {
        let mut table = Table::new(&["kernel", "time", "waits", "DMA transfers"]);
        let name = "a_much_longer_name_than_others (64×16)";
        for row in [
            ["a", "1.00 µs", "0.0 %", "1"],
            [name, "12 ms", "100.0 %", "4"],
        ] {
            table.row(row.map(str::to_owned).to_vec());
        }
        table
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["kernel", "time"]);
        table.row(vec!["a".to_owned(), "1.00 µs".into()]);
        table.row(vec!["longer name".to_owned(), "12 ms".into()]);
        assert_eq!(
            plain(&table, None),
            "kernel          time\na            1.00 µs\nlonger name    12 ms\n\n"
        );
    }

    #[test]
    fn headings_are_broken_and_names_shortened_before_columns_are_moved() {
        assert_eq!(
            plain(&example(), Some(50)),
            "                                               DMA
kernel                    time    waits  transfers
a                      1.00 µs    0.0 %          1
a_much_lon…rs (64×16)    12 ms  100.0 %          4

"
        );
    }

    #[test]
    fn columns_without_a_place_continue_below() {
        let text = plain(&example(), Some(40));
        assert!(
            text.lines().all(|line| line.chars().count() <= 40),
            "{text}"
        );
        for number in ["1.00 µs", "12 ms", "0.0 %", "100.0 %"] {
            assert_eq!(
                text.matches(number).count(),
                1 + usize::from(number == "0.0 %"),
                "{text}"
            );
        }
        assert_eq!(text.matches("kernel").count(), 2);
    }

    #[test]
    fn strong_cells_have_escape_codes() {
        let mut table = Table::new(&["a", "b"]);
        table.row(vec![Cell::from("x".to_owned()), Cell::strong("5".into())]);
        let text = table.text(None);
        assert!(
            text.contains(&format!("x  {}", styled(STRONG, "5"))),
            "{text:?}"
        );
    }
}
