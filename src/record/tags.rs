//! The names of what a record says about its game.

/// The Chinese names of tags.
const TAGS: [(&str, &str); 48] = [
    ("赛事", "Event"),
    ("賽事", "Event"),
    ("赛事名称", "Event"),
    ("比赛", "Event"),
    ("比賽", "Event"),
    ("比赛名称", "Event"),
    ("棋赛", "Event"),
    ("地点", "Site"),
    ("地點", "Site"),
    ("比赛地点", "Site"),
    ("日期", "Date"),
    ("时间", "Date"),
    ("比赛日期", "Date"),
    ("比赛时间", "Date"),
    ("轮次", "Round"),
    ("輪次", "Round"),
    ("红方", "Red"),
    ("紅方", "Red"),
    ("红", "Red"),
    ("红方棋手", "Red"),
    ("先手", "Red"),
    ("黑方", "Black"),
    ("黑", "Black"),
    ("黑方棋手", "Black"),
    ("后手", "Black"),
    ("红队", "RedTeam"),
    ("红方团体", "RedTeam"),
    ("红方单位", "RedTeam"),
    ("黑队", "BlackTeam"),
    ("黑方团体", "BlackTeam"),
    ("黑方单位", "BlackTeam"),
    ("结果", "Result"),
    ("結果", "Result"),
    ("比赛结果", "Result"),
    ("局面", "FEN"),
    ("开局局面", "FEN"),
    ("初始局面", "FEN"),
    ("格式", "Format"),
    ("记谱", "Format"),
    ("开局", "Opening"),
    ("開局", "Opening"),
    ("变例", "Variation"),
    ("标题", "Title"),
    ("棋局标题", "Title"),
    ("作者", "Author"),
    ("评论", "Annotator"),
    ("评注", "Annotator"),
    ("棋类", "Game"),
];

/// English names that are looked for, however they are capitalised.
const ENGLISH: [&str; 10] = [
    "FEN", "Result", "Format", "Red", "Black", "Event", "Date", "Site", "Round", "Title",
];

/// The English name of a tag written in Chinese; else the name as written.
pub(super) fn canonical(name: &str) -> &str {
    if name.is_ascii() {
        if name.eq_ignore_ascii_case("White") {
            return "Red";
        }
        let known = ENGLISH
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name));
        return known.unwrap_or(name);
    }
    TAGS.iter()
        .find(|(chinese, _)| *chinese == name)
        .map_or(name, |(_, english)| english)
}

/// The English name of a header such as `红方：…`, where it is one that is known.
pub(super) fn header(name: &str) -> Option<&'static str> {
    let english = ENGLISH.iter().copied();
    let mut names = TAGS.iter().map(|&(chinese, english)| (chinese, english));
    let found = names.find(|(chinese, _)| *chinese == name);
    found.map(|(_, english)| english).or_else(|| {
        let name = canonical(name);
        english.into_iter().find(|known| *known == name)
    })
}
