import { isDatabaseImage } from '../../../../contract/shared/database-image.ts'
import type { MapApplication, ProjectMap } from '../queries.ts'

type Graph = Pick<ProjectMap, 'applications' | 'references'>

export const isDatabase = ({ source, release }: Pick<MapApplication, 'source' | 'release'>): boolean =>
  isDatabaseImage(release?.image ?? source.image ?? '')

/**
 * Ranks each application by the longest chain of references that leads to it. Databases without references to them rank
 * last.
 */
export function rankApplications({ applications, references }: Graph): Map<string, number> {
  const ranks = new Map<string, number>()
  const sources = sourcesOf(references)
  // The path prevents endless recursion in cycles of references.
  function rank(id: string, path: readonly string[]): number {
    const known = ranks.get(id)
    if (known !== undefined) return known
    const before = (sources.get(id) ?? []).filter((source) => !path.includes(source))
    const found = Math.max(-1, ...before.map((source) => rank(source, [...path, id]))) + 1
    ranks.set(id, found)
    return found
  }
  for (const { id } of applications) rank(id, [id])
  const last = Math.max(1, ...ranks.values())
  for (const application of applications)
    if (isDatabase(application) && !sources.has(application.id)) ranks.set(application.id, last)
  return ranks
}

export interface Cell {
  application: MapApplication
  column: number
  row: number
}

/**
 * Arranges the applications of a server in columns of at most `rows`, each close to the applications that refer to it.
 */
export function arrangeColumns(
  members: readonly MapApplication[],
  references: ProjectMap['references'],
  ranks: ReadonlyMap<string, number>,
  rows: number,
): Cell[] {
  const rankOf = ({ id }: MapApplication) => ranks.get(id) ?? 0
  const own = new Set(members.map(({ id }) => id))
  const sources = sourcesOf(references.filter(({ from, to }) => own.has(from) && own.has(to)))
  const connected = new Set(references.flatMap(({ from, to }) => [from, to]))
  const placed = new Map<string, Cell>()
  const meanRow = ({ id }: MapApplication) => {
    const before = (sources.get(id) ?? []).flatMap((source) => placed.get(source)?.row ?? [])
    return before.length === 0 ? undefined : before.reduce((sum, row) => sum + row, 0) / before.length
  }
  let column = 0
  for (const rank of [...new Set(members.map(rankOf))].toSorted((a, b) => a - b)) {
    const ordered = members
      .filter((application) => rankOf(application) === rank)
      .map((application) => ({ application, mean: meanRow(application) }))
      .toSorted(
        (a, b) =>
          (a.mean ?? rows) - (b.mean ?? rows) ||
          Number(connected.has(b.application.id)) - Number(connected.has(a.application.id)) ||
          a.application.name.localeCompare(b.application.name),
      )
    const height = Math.ceil(ordered.length / Math.ceil(ordered.length / rows))
    for (let at = 0; at < ordered.length; at += height) {
      const part = ordered.slice(at, at + height)
      const means = part.flatMap(({ mean }) => mean ?? [])
      const center = means.reduce((sum, mean) => sum + mean, 0) / (means.length || 1)
      const highest = Math.max(0, ...[...placed.values()].map(({ row }) => row)) - part.length + 1
      const start = Math.max(0, Math.min(Math.floor(center - (part.length - 1) / 2), highest))
      for (const [index, { application }] of part.entries())
        placed.set(application.id, { application, column, row: start + index })
      column++
    }
  }
  return [...placed.values()]
}

function sourcesOf(references: ProjectMap['references']): Map<string, string[]> {
  const sources = new Map<string, string[]>()
  for (const { from, to } of references) sources.set(to, [...(sources.get(to) ?? []), from])
  return sources
}
