import type { Entry } from './queries.ts'

/** What it was done to, for the end of the sentence; undefined where the sentence is whole without it. */
export function targetName({ type, target }: Pick<Entry, 'type' | 'target'>): string | undefined {
  // Who leaves is the one who acts.
  if (!target || type === 'member.left') return undefined
  return target.name || undefined
}
