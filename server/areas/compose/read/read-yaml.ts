import { Composer, type Document, Lexer, LineCounter, Parser } from 'yaml'
import { disallowedCharacter } from '../../../../contract/shared/compose-characters.ts'
import { toSentence } from '../../../errors.ts'
import type { Mark } from '../check/finding.ts'

export interface Yaml {
  document: Document.Parsed | undefined
  lines: LineCounter
  marks: Mark[]
}

type Tokens = Parameters<Composer['compose']>[0] extends Iterable<infer T> ? T[] : never

/** Limits tokens far above any real file, against hostile input. */
const maxTokens = 40_000
const deepest = 60
const maxMarks = 100

/** Parses without expanding aliases, and stops as soon as a file exceeds the limits. */
export function readYaml(text: string): Yaml {
  const lines = new LineCounter()
  const unfit = text.search(disallowedCharacter)
  if (unfit >= 0) return { document: undefined, lines, marks: [unfitAt(text, unfit, lines)] }
  const { tokens, mark } = tokensOf(text, lines)
  const broken = tokens.flatMap((token) =>
    token.type === 'error' ? [markAt(token.offset, token.offset + token.source.length, token.message)] : [],
  )
  const marks = [...(mark ? [mark] : []), ...broken].slice(0, maxMarks)
  if (marks.length > 0) return { document: undefined, lines, marks }
  const composer = new Composer({
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const [document] = composer.compose(tokens, true, text.length)
  const errors = document?.errors.slice(0, maxMarks) ?? []
  return { document, lines, marks: errors.map(({ pos: [from, to], message }) => markAt(from, to, message)) }
}

/** Runs before the parser, so it must count lines itself. */
function unfitAt(text: string, at: number, lines: LineCounter): Mark {
  lines.addNewLine(0)
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1))
    lines.addNewLine(end + 1)
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return markAt(at, at + 1, `The character U+${code} is not allowed in a compose file. Remove it.`)
}

function tokensOf(text: string, lines: LineCounter): { tokens: Tokens; mark: Mark | undefined } {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: Tokens = []
  let [count, at] = [0, 0]
  const stop = (message: string) => ({ tokens: [], mark: markAt(at, at + 1, message) })
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxTokens)
      return stop('The file is too long. Nothing from this line on was checked. Split the file.')
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > deepest) return stop('Nested too deeply.')
    at = parser.offset
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens, mark: findSecondDocument(tokens) }
}

function findSecondDocument(tokens: Tokens): Mark | undefined {
  const [, second] = tokens.filter(({ type }) => type === 'document')
  return second && 'offset' in second
    ? markAt(
        second.offset,
        second.offset + 3,
        'Only one YAML document is allowed. Move everything above this line.',
      )
    : undefined
}

const markAt = (from: number, to: number, said: string): Mark => ({
  from,
  to,
  severity: 'error',
  message: knownMessages.find(([pattern]) => pattern.test(said))?.[1] ?? toSentence(said),
})

/** Rewords common parser errors for users without YAML experience. */
const knownMessages: [RegExp, string][] = [
  [/^unexpected .* token/i, 'Unexpected content.'],
  [/tabs? /i, 'YAML does not allow tabs. Indent with spaces.'],
  [
    /implicit (map )?keys? need to be followed by map values|implicit keys need to be on a single line/i,
    'A key needs a colon and a space after it, on the same line.',
  ],
  [
    /nested mappings are not allowed/i,
    'Only one key per line is allowed. Start a new line, or quote the value.',
  ],
  [/missing closing .*quote/i, 'The closing quote is missing.'],
  [/all (mapping|sequence|collection) items must start at the same column/i, 'Inconsistent indentation.'],
  [
    /flow .*(must end|end with)|expected flow .* end/i,
    'The closing bracket is missing, or there is an error before it.',
  ],
  [
    /(plain value|scalar) cannot start with (.)|cannot start with reserved character/i,
    'A value cannot start with this character. Quote the value.',
  ],
]
