import type { Pair } from '../../../contract/shared/entries.ts'
import { inputValueProblem, newPatternBudget } from './check-value.ts'
import type { Input } from './template-schema.ts'
import { containsPassword, isThirdPartySecret, looksSecret } from './looks-secret.ts'

export interface DraftedDomain {
  name: string
  host: string
}

export interface DraftedInput {
  name: string
  label: string
  type?: Input['type']
  required?: boolean
  default?: string
  generate?: string | { kind: string; length: number }
}

/** Turns variables into inputs: secrets are generated again, other values become defaults. */
export const draftInputs = (values: readonly Pair[], domain: DraftedDomain | undefined): DraftedInput[] => [
  ...values
    .filter(({ key }) => key !== domain?.name && key !== `${domain?.name}_URL`)
    .map(({ key, value }) => ({
      name: key,
      label: labelFromName(key),
      ...draftInput(key, value, (text) => withDomain(withSecrets(text, values, key), domain)),
    })),
  ...(domain ? [{ name: domain.name, label: 'Domain', type: 'domain' as const, generate: 'domain' }] : []),
]

/** Shorter values match unrelated text by chance. Passwords in URLs are matched at any length. */
const shortest = 8

/** Matches variable references, whose names are not secret. */
const references = /((?<!\$)\$(?:\{\w+|[A-Za-z_]\w*))/

export function withSecrets(text: string, values: readonly Pair[], own = ''): string {
  const secrets = values
    .filter(({ key, value }) => key !== own && looksSecret(key) && value !== '')
    .toSorted((a, b) => b.value.length - a.value.length)
  // Every second part is a variable reference and stays as it is.
  let parts = text.split(references)
  for (const { key, value } of secrets) {
    const [before, after] = value.length >= shortest ? ['', ''] : [':', '@']
    const put = `${before}\${${key}}${after}`
    parts = parts.flatMap((part, index) =>
      index % 2 === 1 ? [part] : between(part.split(`${before}${escapeDollars(value)}${after}`), put),
    )
  }
  return parts.join('')
}

const between = (parts: readonly string[], put: string): string[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [put, part]))

export const escapeDollars = (text: string) => text.replaceAll('$', '$$$$')

/** `ADMIN_EMAIL` → `Admin email` */
export function labelFromName(name: string): string {
  const words = name.replaceAll('_', ' ').trim().toLowerCase()
  return words === '' ? name : words.replace(/^./, (first) => first.toUpperCase())
}

function draftInput(
  name: string,
  value: string,
  filled: (text: string) => string,
): Omit<DraftedInput, 'name' | 'label'> {
  if (value === '') return { required: false }
  const written = filled(escapeDollars(value))
  if (looksSecret(name) && !isThirdPartySecret(name)) return { type: 'secret', generate: generatorFor(value) }
  if (looksSecret(name) || containsPassword(written)) return { type: 'secret' }
  return value.length > longest ? {} : { type: detectType(written), default: written }
}

const longest = 4_000

function generatorFor(value: string): string | { kind: string; length: number } {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return 'uuid'
  const isHex = /^[0-9a-f]+$/.test(value) && value.length % 2 === 0 && value.length >= 32
  if (isHex && value.length <= 512) return { kind: 'hex', length: value.length / 2 }
  const isBase64 = /^[A-Za-z0-9+/]{22,340}={1,2}$/.test(value) && value.length % 4 === 0
  if (isBase64) return { kind: 'base64', length: Buffer.from(value, 'base64').length }
  return { kind: 'password', length: Math.min(Math.max(value.length, 24), 128) }
}

const plain = {
  name: '',
  label: '',
  help: null,
  required: true,
  default: null,
  generate: null,
  choices: [],
  pattern: null,
  min: null,
  max: null,
  advanced: false,
}

function detectType(value: string): Input['type'] {
  const budget = newPatternBudget()
  const types = ['boolean', 'number', 'email', 'url'] as const
  return types.find((type) => inputValueProblem({ ...plain, type }, value, budget) === undefined) ?? 'text'
}

export function withDomain(text: string, domain: DraftedDomain | undefined): string {
  if (!domain) return text
  const host = domain.host.replaceAll('.', '\\.')
  return text
    .replaceAll(new RegExp(`https?://${host}(?::\\d+)?(?![\\w.-])`, 'g'), () => `\${${domain.name}_URL}`)
    .replaceAll(new RegExp(`(?<![\\w.-])${host}(?![\\w.-])`, 'g'), () => `\${${domain.name}}`)
}
