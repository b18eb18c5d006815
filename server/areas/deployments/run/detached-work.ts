import type { Pair } from '../../../../contract/shared/entries.ts'
import {
  type DetachedResult,
  type OutputChunk,
  runDetached,
  type DetachedProcess,
} from '../../../remote/detached.ts'
import { LineAssembler } from '../../../remote/detached-output.ts'
import { readLines } from '../../outputs/output.ts'
import { type DeploymentRun, getRunHost } from './deployment-run.ts'
import { maskEnvironmentValues } from './redact.ts'

interface OutputOptions {
  prefixes: readonly [string, ...string[]]
  /** Line that ends each part except the last; it is not logged. */
  mark?: string
  secrets: readonly Pair[]
}

export interface FollowedWork {
  work: DetachedProcess
  options: OutputOptions
  pieces: AsyncGenerator<OutputChunk, DetachedResult | undefined>
  splitter: LineAssembler
  part: number
  lines: string[][]
  finish: DetachedResult | undefined
}

const offsetKey = (id: string, part: number) => (part === 0 ? id : `${id}.${part}`)

export function readFollowedOffset(
  { log }: DeploymentRun,
  id: string,
  { prefixes }: Pick<OutputOptions, 'prefixes'>,
) {
  const part = prefixes.findLastIndex((_, at) => log.offsetOf(offsetKey(id, at)) > 0)
  return { part: Math.max(0, part), offset: part < 0 ? 0 : log.offsetOf(offsetKey(id, part)) }
}

/** Starts or resumes following. The work itself survives lost connections and restarts of Slipway. */
export async function followDetachedWork(
  run: DeploymentRun,
  work: DetachedProcess,
  options: OutputOptions,
): Promise<FollowedWork> {
  const { part, offset } = readFollowedOffset(run, work.id, options)
  const from = { stdout: offset, stderr: 0 }
  const lines = offset > 0 ? await readLoggedLines(run, options) : options.prefixes.map(() => [])
  const pieces = runDetached(getRunHost(run), work, from, run.signal)
  return { work, options, pieces, splitter: new LineAssembler(from), part, lines, finish: undefined }
}

export async function logOutputUntil(
  run: DeploymentRun,
  following: FollowedWork,
  part = Infinity,
): Promise<void> {
  while (!following.finish && following.part < part) {
    const next = await following.pieces.next()
    logOutput(run, following, next.done ? following.splitter.end() : following.splitter.add(next.value))
    await run.log.waitForCapacity()
    if (next.done) following.finish = next.value
  }
}

function logOutput({ log }: DeploymentRun, following: FollowedWork, output: string): void {
  const { options, lines, splitter, work } = following
  let text = ''
  for (const line of output.split('\n').filter((printed) => printed.trim() !== '')) {
    if (line === options.mark) {
      following.part++
      continue
    }
    const safe = maskEnvironmentValues(line, options.secrets)
    lines[following.part]?.push(safe)
    text += `${options.prefixes[following.part]}${safe}\n`
  }
  if (text !== '')
    log.append('stdout', text, {
      work: offsetKey(work.id, following.part),
      offset: splitter.reached.stdout_offset,
    })
}

async function readLoggedLines(
  { ctx, deployment, log }: DeploymentRun,
  { prefixes }: OutputOptions,
): Promise<string[][]> {
  await log.flush()
  const all = await readLines(ctx, ctx.db, deployment.workspace_id, deployment.id)
  return prefixes.map((prefix) =>
    all.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length)),
  )
}

export interface FinishedWork {
  finish: DetachedResult
  lines: string[]
}

export const errorLogLines = 10

export async function runFollowedWork(
  run: DeploymentRun,
  work: DetachedProcess,
  options: OutputOptions,
): Promise<FinishedWork> {
  const following = await followDetachedWork(run, work, options)
  try {
    await logOutputUntil(run, following)
  } finally {
    await following.pieces.return(undefined)
  }
  const { finish, lines } = following
  if (!finish) throw new Error('The detached work has not finished.')
  return { finish, lines: lines.flat() }
}
