import type { Content } from './content.ts'

type Looked = Pick<Content, 'kind' | 'severity'>

/** What it is, at a glance. */
export function signOf({ kind, severity }: Looked): string {
  if (kind === 'test') return '🔔'
  if (kind === 'over') return '✅'
  return { critical: '🔴', warning: '🟠', good: '✅', info: '🔵' }[severity]
}

/** An end is good, however bad it was. */
export const toneOf = ({ kind, severity }: Looked): Content['severity'] =>
  kind === 'over' ? 'good' : severity

/** As six hexadecimal digits. */
export const colourOf = (content: Looked): string =>
  ({ critical: 'd92d20', warning: 'dc6803', good: '079455', info: '1570ef' })[toneOf(content)]

/** Beside a message: where it is from, and when it was. */
export const sourceOf = ({ workspace, at }: Pick<Content, 'workspace' | 'at'>) =>
  `Slipway · ${workspace.name} · ${at.slice(0, 16).replace('T', ' ')} UTC`
