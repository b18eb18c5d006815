import type { Pair } from '../../../../contract/shared/entries.ts'
import { type Finish, type Piece, runDetached, type Work } from '../../../remote/detached.ts'
import { Lines } from '../../../remote/detached/lines.ts'
import { readLines } from '../../outputs/output.ts'
import { type Attempt, hostFor } from './attempt.ts'
import { withoutValues } from './environment.ts'

export interface How {
  /** Of each line in the log, for each part of the work: it tells what says it. */
  prefixes: readonly [string, ...string[]]
  /** The line with which each part but the last ends; it stands in no log. */
  mark?: string
  /** What never stands in the log. */
  secrets: readonly Pair[]
}

/** Work on the server that somebody listens to. */
export interface Following {
  work: Work
  how: How
  pieces: AsyncGenerator<Piece, Finish | undefined>
  cut: Lines
  /** The part that it is in. */
  part: number
  /** All that was said, by each part. */
  lines: string[][]
  /** How it ended. */
  finish: Finish | undefined
}

/** How far a part of the work was told is written down under this name. */
const placeOf = (id: string, part: number) => (part === 0 ? id : `${id}.${part}`)

/** The part that was told of last, and how far. */
export function reachedOf({ log }: Attempt, id: string, { prefixes }: Pick<How, 'prefixes'>) {
  const part = prefixes.findLastIndex((_, at) => log.reached(placeOf(id, at)) > 0)
  return { part: Math.max(0, part), offset: part < 0 ? 0 : log.reached(placeOf(id, part)) }
}

/** It goes on without the connection and without Slipway; whoever follows it again begins behind the last line that was told. */
export async function follow(attempt: Attempt, work: Work, how: How): Promise<Following> {
  const { part, offset } = reachedOf(attempt, work.id, how)
  const from = { stdout: offset, stderr: 0 }
  const lines = offset > 0 ? await linesBefore(attempt, how) : how.prefixes.map(() => [])
  const pieces = runDetached(hostFor(attempt), work, from, attempt.signal)
  return { work, how, pieces, cut: new Lines(from), part, lines, finish: undefined }
}

/** Tells what it says until it is in this part, or has ended. */
export async function tellUntil(attempt: Attempt, following: Following, part = Infinity): Promise<void> {
  while (!following.finish && following.part < part) {
    const next = await following.pieces.next()
    tell(attempt, following, next.done ? following.cut.end() : following.cut.add(next.value))
    await attempt.log.room()
    if (next.done) following.finish = next.value
  }
}

function tell({ log }: Attempt, following: Following, said: string): void {
  const { how, lines, cut, work } = following
  let told = ''
  for (const line of said.split('\n').filter((one) => one.trim() !== '')) {
    if (line === how.mark) {
      following.part++
      continue
    }
    const safe = withoutValues(line, how.secrets)
    lines[following.part]?.push(safe)
    told += `${how.prefixes[following.part]}${safe}\n`
  }
  if (told !== '')
    log.hear('stdout', told, {
      work: placeOf(work.id, following.part),
      offset: cut.reached.stdout_offset,
    })
}

/** Nobody listens any more; the work goes on. */
export async function leave(following: Following): Promise<void> {
  await following.pieces.return(undefined)
}

/** What was told by whoever followed it before. */
async function linesBefore({ ctx, deployment, log }: Attempt, { prefixes }: How): Promise<string[][]> {
  await log.flush()
  const all = await readLines(ctx, ctx.db, deployment.workspace_id, deployment.id)
  return prefixes.map((prefix) =>
    all.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length)),
  )
}
