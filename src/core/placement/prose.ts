/**
 * A line before any code holds three words in a row that are none of SQL. As a value that is not
 * quoted that is no expression of any language, so that nothing behind it is reached. Words in a
 * literal or a comment that goes over lines are none, nor, where SQL is asked about, those behind the
 * verb of a statement: Transact-SQL has nothing between statements.
 */
export function isProse(text: string, ofSql = false): boolean {
  if (text.includes('/*')) return false;
  for (const line of text.split('\n', proseLinesMax)) {
    const count = line.replaceAll(contractions, '').match(quotes)?.length ?? 0;
    if (count % 2 === 1 || line.startsWith('```')) return false;
    if (count > 0) continue;
    // `I've tried:` is an error in each of these languages by itself.
    if (line.length <= proseCharsMax && line.search(contractions) >= 0) return true;
    const [said = ''] = line.slice(0, proseCharsMax).replace(opening, '').split(lineComment);
    if (said.split(code).some((part) => holdsThreeWords(part, ofSql))) return true;
    if (ofSql && verb.test(said)) return false;
  }
  return false;
}

function holdsThreeWords(text: string, ofSql: boolean): boolean {
  let words = 0;
  for (const word of text.split(' ')) {
    if (ofSql && verb.test(word)) return false;
    const joins = joining.test(word) || (ofSql && joiningSql.test(word));
    words = plainWord.test(word) && !joins ? words + 1 : 0;
    if (words === 3) return true;
    // A list goes on behind a comma.
    if (punctuation.test(word)) words = 0;
  }
  return false;
}

const punctuation = /\P{L}$/u;
const verb =
  /(?<![\w-])(?:alter|backup|begin|checkpoint|commit|create|dbcc|delete|deny|disable|drop|dump|enable|execute|grant|insert|kill|merge|raiserror|restore|revoke|save|shutdown|truncate)(?![\w-])/i;
const lineComment = /--|#/;
const quotes = /['"]/g;
const proseLinesMax = 20;
const proseCharsMax = 240;
const contractions = /(?<=[A-Za-z])'(?:s|t|m|d|re|ve|ll)(?![A-Za-z0-9_('"])/g;
/** Marks of Markdown that are no comment in SQL. */
const opening = /^\s{0,4}(?:>{1,3} |\*{1,3} |- )?/;
const code = /[`"=;(){}[\]|&$<>\\]|(?<![\p{L}])'|'(?![\p{L}])/u;
const plainWord = /^\p{L}[\p{L}'’-]{0,30}[,.:?!]?$/u;
const joining =
  /^(?:null|true|false|not|and|or|in|as|like|between|join|on|where|union|select|from|case|order|group|by|having|limit|all|distinct|asc|desc|div|mod|xor|r?like|regexp|collate|interval|exists|any|some|isnull|notnull|unknown|json|document|normalized|table|values|with|for|into|procedure|offset|fetch|except|intersect|minus|nulls|at|zone|of|similar|escape|using|over|partition|only|update|share|lock|rollup|window|left|right|full|inner|outer|cross|natural|use|force|ignore|index|key|lateral|apply|binary|sounds|glob|match|against|overlaps|option|prior|connect|qualify|return|new|typeof|void|throw|echo|print|eval|exec|if|var|let|const|skip|locked|nowait|rows?|first|last|next|mode|siblings|nocycle|recursive|materialized);?$/i;
/** What other languages and sentences have as a word like others. */
const joiningSql = /^(?:is|ilike|nf[ck]?[cd]|varying|timestamp|time|tablesample);?$/i;

/**
 * The text without the apostrophes of `I don't know why`: behind the literal that one would end stand
 * three words, which is an error, too.
 */
export function withoutContractions(text: string): string {
  return text.replaceAll(spoken, (mark, first: string, second: string) =>
    joining.test(first) || joining.test(second) ? mark : mark.slice(1),
  );
}

const spoken = /(?<=[A-Za-z])'(?:s|t|m|d|re|ve|ll) ([a-z]{1,20}) ([a-z]{1,20})(?![\w'"(`])/g;
