import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isCollection,
  isPair,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLParseError,
} from 'yaml'
import { disallowedCharacter } from '../../../../contract/shared/compose-limits.ts'
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
  const unfit = text.search(disallowedCharacter)
  if (unfit >= 0) {
    const lines = new LineCounter()
    return { document: undefined, lines, marks: [unfitAt(text, unfit, lines)] }
  }
  const strict = parse(text, new Lexer())
  if (!strict.marks.some(({ message }) => causedByIndentation.has(message))) return strict
  const lenient = parse(text, lenientLexer())
  return lenient.marks.length > 0 ? strict : lenient
}

/**
 * Like Compose, ignores the indentation in brackets and quotes. The strict lexer comes first, because it reports a
 * missing bracket or quote more clearly.
 */
function lenientLexer(): Lexer {
  const lexer = new Lexer()
  const continueScalar = lexer['continueScalar'].bind(lexer)
  let [indent, isQuoted] = [0, false]
  Reflect.defineProperty(lexer, 'indentNext', {
    get: () => (isQuoted || lexer['flowLevel'] > 0 ? 0 : indent),
    set(value: number) {
      indent = value
    },
  })
  lexer['continueScalar'] = (offset: number) => {
    isQuoted = /["']/.test(lexer['charAt'](0))
    const next = continueScalar(offset)
    isQuoted = false
    return next
  }
  return lexer
}

function parse(text: string, lexer: Lexer): Yaml {
  const lines = new LineCounter()
  const { tokens, mark } = readTokens(text, lexer, lines)
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
  const errors =
    document?.errors.filter((error) => !isCommentAfterValue(error, text)).slice(0, maxMarks) ?? []
  return { document, lines, marks: errors.map(({ pos: [from, to], message }) => markAt(from, to, message)) }
}

/** YAML wants a space before the comment, but Compose does not. */
const isCommentAfterValue = ({ code, pos: [from] }: YAMLParseError, text: string) =>
  code === 'MISSING_CHAR' && text[from] === '#' && /["'\]},]/.test(text[from - 1] ?? '')

/** Runs before the parser, so it must count lines itself. */
function unfitAt(text: string, at: number, lines: LineCounter): Mark {
  lines.addNewLine(0)
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1))
    lines.addNewLine(end + 1)
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return markAt(at, at + 1, `The character U+${code} is not allowed in a compose file. Remove it.`)
}

function readTokens(
  text: string,
  lexer: Lexer,
  lines: LineCounter,
): { tokens: Tokens; mark: Mark | undefined } {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: Tokens = []
  let [count, at, brackets] = [0, 0, 0]
  let isLineStart = true
  const stop = (message: string) => ({ tokens: [], mark: markAt(at, at + 1, message) })
  for (const lexeme of lexer.lex(text)) {
    if (++count > maxTokens)
      return stop('The file is too long. Nothing from this line on was checked. Split the file.')
    if (isLineStart && brackets === 0 && /^\t\s*$/.test(lexeme)) return stop(noTabs)
    isLineStart = lexeme.endsWith('\n')
    if (lexeme === '[' || lexeme === '{') brackets++
    if (lexeme === ']' || lexeme === '}') brackets--
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

const markAt = (from: number, to: number, message: string): Mark => ({
  from,
  to,
  severity: 'error',
  message: knownMessages.find(([pattern]) => pattern.test(message))?.[1] ?? toSentence(message),
})

const noTabs = 'YAML does not allow tabs. Indent with spaces.'
const openBracket = 'The closing bracket is missing, or there is an error before it.'
const openQuote = 'The closing quote is missing.'
const unexpected = 'Unexpected content.'
const causedByIndentation = new Set([openBracket, openQuote, unexpected])

const knownMessages: [RegExp, string][] = [
  [/^unexpected .* token/i, unexpected],
  [/tabs? /i, noTabs],
  [
    /implicit (map )?keys? need to be followed by map values|implicit keys need to be on a single line/i,
    'A key needs a colon and a space after it, on the same line.',
  ],
  [
    /nested mappings are not allowed/i,
    'Only one key per line is allowed. Start a new line, or quote the value.',
  ],
  [/missing closing .*quote/i, openQuote],
  [/all (mapping|sequence|collection) items must start at the same column/i, 'Inconsistent indentation.'],
  [/flow .*(must end|end with)|expected flow .* end/i, openBracket],
  [
    /(plain value|scalar) cannot start with (.)|cannot start with reserved character/i,
    'A value cannot start with this character. Quote the value.',
  ],
]

/** Limits the size after expansion, against hostile files. */
const maxNodes = 100_000

export type Targets = ReadonlyMap<Alias, Node>

/** Works in one pass, because the library's lookup scans the document for each alias. */
export function resolveAliases(document: Document): { targets: Targets; marks: Mark[] } {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  const sizes = new Map<Node, number>()
  const open = new Set<Node>()
  const marks: Mark[] = []

  const measure = (node: unknown): number => {
    if (isPair(node)) return measure(node.key) + measure(node.value)
    if (isAlias(node)) return sizeOfAlias(node)
    if (!isCollection(node)) {
      keep(node)
      return 1
    }
    keep(node)
    open.add(node)
    const size = node.items.reduce<number>((sum, item) => sum + measure(item), 1)
    open.delete(node)
    sizes.set(node, size)
    return size
  }
  const keep = (node: unknown) => {
    if (!isAnchored(node)) return
    anchors.set(node.anchor, node)
    if (!/^[\w-]+$/.test(node.anchor))
      marks.push(
        toAliasMark(node, `The anchor &${node.anchor} can contain only letters, digits, _ and -. Rename it.`),
      )
  }
  const sizeOfAlias = (alias: Alias): number => {
    const target = anchors.get(alias.source)
    if (!target) marks.push(toAliasMark(alias, `The anchor &${alias.source} is not defined above.`))
    else if (open.has(target)) marks.push(toAliasMark(alias, `The alias *${alias.source} contains itself.`))
    else targets.set(alias, target)
    return target ? (sizes.get(target) ?? 1) : 1
  }

  const size = measure(document.contents)
  if (size > maxNodes)
    marks.push({
      from: 0,
      to: 1,
      severity: 'error',
      message: 'The file is too large: its aliases expand to more than 100,000 values.',
    })
  return { targets, marks }
}

const isAnchored = (node: unknown): node is Node & { anchor: string } =>
  typeof node === 'object' && node !== null && 'anchor' in node && typeof node.anchor === 'string'

const toAliasMark = ({ range }: Node, message: string): Mark => ({
  from: range?.[0] ?? 0,
  to: range?.[1] ?? 1,
  severity: 'error',
  message,
})
