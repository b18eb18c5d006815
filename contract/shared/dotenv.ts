import { replaceReferences } from './dotenv-references.ts'
import type { Pair } from './entries.ts'

/**
 * Reads environment variables as Docker Compose reads an .env file: comments, `export`, quotes, escapes, values of
 * several lines, and references to earlier variables. Unlike in Docker Compose, a reference to any other variable stays
 * unchanged. This file does not import zod, because the console uses it.
 */
export interface DotenvEntry extends Pair {
  line: number
  /** The line is a key without an equals sign, such as `A`, so its value is empty. */
  isBare: boolean
  /** References that were replaced in the value, such as `$HOST`, up to a limit. */
  replaced: string[]
}

export interface DotenvProblem {
  line: number
  message: string
}

export interface Dotenv {
  entries: DotenvEntry[]
  /** Numbers of the lines without a key, which are discarded and reported. */
  nameless: number[]
  hasComments: boolean
  problems: DotenvProblem[]
}

/** Limits the length of all values together, because references can make a short text grow without bound. */
const maxExpanded = 1_000_000
/** Limits the reported references, because a search for each of them in a long text takes time. */
const maxReplaced = 100

export function readDotenv(text: string): Dotenv {
  const dotenv: Dotenv = { entries: [], nameless: [], hasComments: false, problems: [] }
  const values = new Map<string, string>()
  const budget = { left: maxExpanded }
  const source = text.replace(/^\ufeff/, '')
  for (let at = 0, line = 1; at < source.length;) {
    const end = endOfLine(source, at)
    const typed = source.slice(at, end)
    const split = splitLine(typed)
    const quoted = split && readQuoted(source, at + split.valueAt)
    const next = quoted?.raw ? endOfLine(source, quoted.end) : end
    if (!split && typed.trim() !== '') dotenv.hasComments = true
    if (quoted?.problem !== undefined) dotenv.problems.push({ line, message: quoted.problem })
    if (split) {
      const raw = quoted?.raw ?? { text: readPlain(typed.slice(split.valueAt)), isLiteral: false }
      const { value, replaced } = raw.isLiteral
        ? { value: raw.text, replaced: [] }
        : replaceReferences(raw.text, values, budget)
      if (split.key === '') dotenv.nameless.push(line)
      else {
        const { key, isBare } = split
        const written = source.slice(at, next)
        const seen = [...new Set(replaced)]
          .slice(0, maxReplaced)
          .filter((reference) => written.includes(reference))
        dotenv.entries.push({ key, value, line, isBare, replaced: seen })
        values.set(key, value)
      }
    }
    line += countLineBreaks(source, at, next)
    at = next + 1
  }
  if (budget.left < 0)
    dotenv.problems.push({ line: 1, message: 'The values are too long after their references are expanded.' })
  return dotenv
}

export const describeDotenvProblem = ({ line, message }: DotenvProblem) => `Line ${line}: ${message}`

export const readVariables = (text: string): Pair[] =>
  readDotenv(text).entries.map(({ key, value }) => ({ key, value }))

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function countLineBreaks(text: string, from: number, to: number): number {
  let count = 1
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

interface SplitLine {
  key: string
  isBare: boolean
  valueAt: number
}

/** Splits at the first equals sign, or at the colon of `KEY: value`. Undefined for blank lines and comments. */
function splitLine(line: string): SplitLine | undefined {
  if (/^\s*(?:#.*)?$/s.test(line)) return undefined
  const from = /^\s*(?:export\s+(?!=))?/.exec(line)?.[0].length ?? 0
  const colon = /^[A-Za-z_][\w.-]*[ \t]*:/.exec(line.slice(from))?.[0].length
  const equals = line.indexOf('=', from)
  const sign = colon === undefined ? equals : from + colon - 1
  const isBare = sign < 0
  const key = line.slice(from, isBare ? undefined : sign).trim()
  const rest = isBare ? '' : line.slice(sign + 1)
  return { key, isBare, valueAt: line.length - rest.trimStart().length }
}

interface RawValue {
  text: string
  isLiteral: boolean
}

interface Quoted {
  raw: RawValue | undefined
  end: number
  problem?: string
}

const escapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '"': '"',
  '\\': '\\',
  // An escaped dollar sign becomes two, which the replacement of references turns into one.
  $: '$$',
}

/** Reads a value in quotes, which may have several lines. Undefined for other values. */
function readQuoted(text: string, from: number): Quoted | undefined {
  const quote = text[from]
  if (quote !== '"' && quote !== "'") return undefined
  const end = findClosingQuote(text, from + 1, quote)
  if (end < 0) return { raw: undefined, end: from, problem: 'The closing quote is missing.' }
  const rest = text.slice(end + 1, endOfLine(text, end))
  const inside = text.slice(from + 1, end)
  const raw =
    quote === '"'
      ? { text: unescapeText(inside), isLiteral: false }
      : { text: inside.replaceAll("\\'", "'"), isLiteral: true }
  return {
    raw,
    end,
    ...(!/^\s*(?:#.*)?$/s.test(rest) && { problem: 'There is text after the closing quote.' }),
  }
}

function findClosingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return -1
}

const unescapeText = (text: string) =>
  text.replaceAll(/\\([^])/g, (all, character: string) => escapes[character] ?? all)

/** A comment starts at a # after a space. */
const readPlain = (rest: string): string => (rest.split(' #', 1)[0] ?? '').trim()

/** Quotes a value so that Docker Compose and `readDotenv` read exactly this value from one line. */
export const quoteVariable = (value: string): string =>
  /['\n\r\\]/.test(value)
    ? `"${value
        .replace(/[\\"$]/g, String.raw`\$&`)
        .replaceAll('\n', String.raw`\n`)
        .replaceAll('\r', String.raw`\r`)}"`
    : `'${value}'`

/** Writes one entry per line, and quotes only values that need quotes. */
export const writeVariables = (pairs: readonly Pair[]): string =>
  pairs.map(({ key, value }) => `${key}=${isPlain(value) ? value : quoteVariable(value)}`).join('\n')

const isPlain = (value: string) => value.trim() === value && !/^['"#]|[\n\r$]| #/.test(value)
