//! A report as `JUnit` XML, for the programs that collect test results.

use super::run::{CaseResult, CaseStatus, Report};
use std::fmt::Write;

/// The report as one XML document: a suite for each book, a test for each case.
pub fn junit(report: &Report) -> String {
    let all = |count: fn(&CaseResult) -> bool| {
        let results = report.books.iter().flat_map(|book| &book.results);
        results.filter(|result| count(result)).count()
    };
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"qili cases\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
        all(|_| true),
        all(is_failure),
        all(is_error),
        all(is_skipped),
    );
    for book in &report.books {
        let own = |count: fn(&CaseResult) -> bool| book.results.iter().filter(|r| count(r)).count();
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
            escaped(&book.book),
            book.results.len(),
            own(is_failure),
            own(is_error),
            own(is_skipped),
        );
        for result in &book.results {
            put(&mut xml, result);
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn is_failure(result: &CaseResult) -> bool {
    result.status == CaseStatus::Wrong
}

fn is_error(result: &CaseResult) -> bool {
    result.status == CaseStatus::Error
}

fn is_skipped(result: &CaseResult) -> bool {
    matches!(
        result.status,
        CaseStatus::KnownDifference | CaseStatus::Undetermined
    )
}

fn put(xml: &mut String, result: &CaseResult) {
    let (id, book) = (escaped(&result.id), escaped(&result.book));
    let _ = write!(xml, "    <testcase classname=\"{book}\" name=\"{id}\"");
    let told = escaped(&result.differences().join("; "));
    let known = || result.known.as_ref().map(|text| escaped(&text.en));
    let inside = match result.status {
        CaseStatus::Right => return xml.push_str("/>\n"),
        CaseStatus::Wrong => format!("<failure message=\"{told}\"/>"),
        CaseStatus::Error => format!("<error message=\"{told}\"/>"),
        CaseStatus::Undetermined => format!("<skipped message=\"undetermined: {told}\"/>"),
        CaseStatus::KnownDifference => {
            let reason = known().unwrap_or_default();
            format!("<skipped message=\"known difference: {told}: {reason}\"/>")
        }
        CaseStatus::NoLongerDiffers => "<system-out>no longer differs</system-out>".to_owned(),
    };
    let _ = writeln!(xml, ">{inside}</testcase>");
}

/// Text as it may stand in an attribute. Characters XML has no place for are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_attribute() {
        assert_eq!(
            escaped("a<\"b\">&'\u{1}\n"),
            "a&lt;&quot;b&quot;&gt;&amp;&apos;\u{fffd}&#10;"
        );
        assert_eq!(escaped("图十五"), "图十五");
    }
}
