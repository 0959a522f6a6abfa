//! What a reader of values finds wrong, in a caller's terms: no name of a type of this program, and in Chinese as well.

use crate::language::{Text, both};

/// What a value is to be, by the name that a reader has for it.
fn expected(name: &str) -> Text {
    match name {
        "u32" => both!("a whole number from 0 to 4294967295", "0至4294967295的整数"),
        "u8" | "u16" | "u64" | "usize" => both!("a whole number from 0 on", "不小于0的整数"),
        "i8" | "i16" | "i32" | "i64" => both!("a whole number", "整数"),
        "f32" | "f64" => both!("a number", "数字"),
        "a string" | "string" | "str" => both!("a text", "文字"),
        "a boolean" => both!("true or false", " true 或 false"),
        "a sequence" => both!("a list", "列表"),
        "a map" => both!("an object", "对象"),
        _ if name.starts_with("struct ") => both!("an object", "对象"),
        _ if name.starts_with("enum ") => both!("a text", "文字"),
        _ if name.starts_with("a text of at most ") => {
            let most: String = name.chars().filter(char::is_ascii_digit).collect();
            Text::new(name, format!("至多{most}字且无控制字符的文字"))
        }
        _ if name.starts_with("true, false, or an object with ") => {
            let members = name.rsplit(" with ").next().unwrap_or_default();
            Text::new(name, format!(" true、false 或含 {members} 的对象"))
        }
        _ => Text::new(name, name),
    }
}

/// What there is instead.
fn found(name: &str) -> Text {
    let quoted = |kind: &str| name.strip_prefix(kind).map(|rest| rest.trim_matches('`'));
    if let Some(number) = quoted("integer ").or_else(|| quoted("floating point ")) {
        return both!("the number {number}", "数字{number}");
    }
    if let Some(text) = quoted("string ") {
        return both!("the text {text}", "文字{text}");
    }
    if let Some(value) = quoted("boolean ") {
        return both!("{value}", " {value}");
    }
    match name {
        "map" => both!("an object", "对象"),
        "sequence" => both!("a list", "列表"),
        "null" | "unit value" | "Option value" => both!("null", " null"),
        "another text" => both!("such a text", "这样的文字"),
        _ => Text::new(name, name),
    }
}

/// `a` and `b` of "`a`, `b`" or "`a` or `b`", as Chinese lists them.
fn choices(listed: &str) -> String {
    let names: Vec<_> = listed.split('`').skip(1).step_by(2).collect();
    format!(
        "“{}”{}",
        names.join("”“"),
        if names.len() > 1 { "之一" } else { "" }
    )
}

/// What is wrong with a text that is no JSON.
fn syntax_zh(message: &str) -> Option<&'static str> {
    const KNOWN: [(&str, &str); 16] = [
        ("EOF while parsing", "未完即止"),
        ("trailing characters", "其后还有别的内容"),
        ("trailing comma", "末尾多一个逗号"),
        ("expected value", "此处应有值"),
        ("expected `:`", "此处应有冒号"),
        ("expected `,` or `}`", "此处应为逗号或 }"),
        ("expected `,` or `]`", "此处应为逗号或 ]"),
        ("expected `\"`", "此处应有引号"),
        ("expected ident", "此处应为 true、false 或 null"),
        ("key must be a string", "名称应为文字"),
        ("control character", "文字中有控制字符"),
        ("number out of range", "数字过大"),
        ("invalid number", "不是数字"),
        ("invalid ", "转义有误"),
        ("unexpected end of hex", "转义有误"),
        ("recursion limit exceeded", "嵌套过深"),
    ];
    let known = KNOWN.iter().find(|(begins, _)| message.starts_with(begins));
    known.map(|(_, zh)| *zh)
}

/// A message without the line and column it may end with.
fn placeless(message: &str) -> &str {
    let at = message.rfind(" at line ");
    at.and_then(|at| message.get(..at)).unwrap_or(message)
}

/// What a reader of values says is wrong.
pub fn in_words(message: &str) -> Text {
    let message = placeless(message);
    let behind = |begins: &str| message.strip_prefix(begins);
    let named = |rest: &str| rest.split('`').nth(1).unwrap_or(rest).to_owned();
    if let Some(rest) = behind("missing field ") {
        let name = named(rest);
        return both!("`{name}` is missing", "缺少 {name}");
    }
    if let Some(rest) = behind("duplicate field ") {
        let name = named(rest);
        return both!("`{name}` is given twice", "{name} 给了两次");
    }
    if let Some((name, known)) = behind("unknown field ").and_then(|rest| rest.split_once(", ")) {
        let (name, known_zh) = (named(name), choices(known));
        return both!(
            "unknown field `{name}`, {known}",
            "没有“{name}”这一项，应为{known_zh}"
        );
    }
    if let Some((value, known)) = behind("unknown variant ").and_then(|rest| rest.split_once(", "))
    {
        let (value, known_zh) = (named(value), choices(known));
        return both!("{known}, not `{value}`", "应为{known_zh}，不是“{value}”");
    }
    let of_kind = behind("invalid type: ").or_else(|| behind("invalid value: "));
    if let Some((value, kind)) = of_kind.and_then(|rest| rest.split_once(", expected ")) {
        return both!(
            kind = expected(kind), value = found(value);
            "expected {kind}, not {value}",
            "应为{kind}，不是{value}",
        );
    }
    if message.contains("digit found in string")
        || message.contains("integer from empty string")
        || message.starts_with("number too ")
    {
        return both!(kind = expected("u32"); "expected {kind}", "应为{kind}");
    }
    if message.starts_with("provided string was not `true`") {
        return both!(kind = expected("a boolean"); "expected {kind}", "应为{kind}");
    }
    Text::new(message, syntax_zh(message).unwrap_or(message))
}

#[cfg(test)]
mod tests {
    use super::in_words;
    use crate::wire::{Request, json};

    #[test]
    fn what_is_wrong_is_told_in_both_languages_without_names_of_types() {
        for (text, en, zh) in [
            ("{}", "`moves` is missing", "缺少 moves"),
            (
                r#"{"moves": 1}"#,
                "`/moves`: expected a list, not the number 1",
                "“/moves”：应为列表，不是数字1",
            ),
            (
                r#"{"moves": [], "ordered": [5]}"#,
                "`/ordered/0`: expected an object, not the number 5",
                "“/ordered/0”：应为对象，不是数字5",
            ),
            (
                r#"{"moves": [], "claimed": "x"}"#,
                "`/claimed`: expected true or false, not the text \"x\"",
                "“/claimed”：应为 true 或 false，不是文字\"x\"",
            ),
            (
                r#"{"moves": [], "kind": "Cycle"}"#,
                "`/kind`: expected `cycle` or `game`, not `Cycle`",
                "“/kind”：应为“cycle”“game”之一，不是“Cycle”",
            ),
            (
                r#"{"moves": [], "kind": 5}"#,
                "`/kind`: a text is expected",
                "“/kind”：应为文字",
            ),
            (
                r#"{"moves": [], "move": []}"#,
                "`/move`: unknown field `move`, expected one of `id`, `rules`, `fen`, `moves`, `kind`, `ordered`, `assertions`, \
                 `explain`, `claimed`, `budget`, `record`",
                "“/move”：没有“move”这一项，应为“id”“rules”“fen”“moves”“kind”“ordered”“assertions”“explain”“claimed”“budget”“record”之一",
            ),
            (
                r#"{"moves": [], "moves": []}"#,
                "`moves` is given twice",
                "moves 给了两次",
            ),
            (
                r#"{"id": 1e999, "moves": []}"#,
                "`/id`: number out of range",
                "“/id”：数字过大",
            ),
            (
                "",
                "EOF while parsing a value at line 1 column 0",
                "不是合法的 JSON：第1行第0列，未完即止",
            ),
        ] {
            let fault = json::<Request>(text.as_bytes()).unwrap_err();
            assert_eq!(
                (fault.detail.as_str(), fault.detail_zh.as_str()),
                (en, zh),
                "{text}"
            );
        }
    }

    #[test]
    fn a_message_that_is_not_known_stays_as_it_is() {
        assert_eq!(
            in_words("something else at line 1 column 2").en,
            "something else"
        );
    }
}
