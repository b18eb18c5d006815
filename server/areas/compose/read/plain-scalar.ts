/** A plain scalar that Docker Compose reads as a date, which it accepts only under keys that start with x-. */
export class DateScalar {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type PlainValue = string | number | boolean | null | DateScalar

const words: ReadonlyMap<string, PlainValue> = new Map<string, PlainValue>([
  ...['', '~', 'null', 'Null', 'NULL'].map((text): [string, null] => [text, null]),
  ...['true', 'True', 'TRUE'].map((text): [string, boolean] => [text, true]),
  ...['false', 'False', 'FALSE'].map((text): [string, boolean] => [text, false]),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((text): [string, number] => [text, Infinity]),
  ...['-.inf', '-.Inf', '-.INF'].map((text): [string, number] => [text, -Infinity]),
  ...['.nan', '.NaN', '.NAN'].map((text): [string, number] => [text, NaN]),
])

const date = /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]| +)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:Z|[+-]\d\d:\d\d)?)?$/
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i
/** `017` and `0o17` are octal. */
const integer = /^(?<sign>[-+]?)0(?<base>[xob]?)(?<digits>[\da-f]+)$/i
const bases: Record<string, [base: number, digits: RegExp]> = {
  x: [16, /^[\da-f]+$/i],
  o: [8, /^[0-7]+$/],
  '': [8, /^[0-7]+$/],
  b: [2, /^[01]+$/],
}

/** Reads a scalar without quotes as the YAML library of Docker Compose does, which knows some forms of YAML 1.1. */
export function readPlain(text: string): PlainValue {
  const known = words.get(text)
  if (known !== undefined) return known
  if (!/^[-+.\d]/.test(text)) return text
  if (date.test(text)) return new DateScalar(text)
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '')
  const { sign, base = '', digits = '' } = integer.exec(plain)?.groups ?? {}
  const [radix, allowed] = bases[base.toLowerCase()] ?? [10, /^$/]
  if (allowed.test(digits)) return (sign === '-' ? -1 : 1) * Number.parseInt(digits, radix)
  return decimal.test(plain) ? Number(plain) : text
}
