import { EventEmitter } from 'node:events'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { outputEvent } from '../../../contract/shared/outputs.ts'
import type { Context } from '../../context.ts'
import type { Bus } from '../../platform/listen.ts'
import type { LiveEvent } from '../../route.ts'
import type { Db } from '../../tables.ts'
import {
  deleteOutputs,
  deleteSome,
  insertOutputs,
  listLastOutputs,
  listOutputs,
  measureOutputs,
  type NewOutput,
} from './store.ts'

export type { NewOutput }

type WithSecrets = Pick<Context, 'secrets'>

/** Puts pieces behind what is there, in the transaction that also notes how far was read. */
export const appendOutput = (
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  pieces: NewOutput[],
) => insertOutputs(secrets, db, workspaceId, source, pieces)

export const forgetOutput = (db: Db, workspaceId: Id<'workspace'>, sources: string[]) =>
  deleteOutputs(db, workspaceId, sources)

/** What there is of it, row by row; and some of these rows no more. */
export const measureOutput = measureOutputs
export const forgetPieces = deleteSome

/** All that was said so far, each stream for itself. */
export async function readOutput(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
) {
  const rows = await listOutputs(secrets, db, workspaceId, source, 0, 1_000_000)
  const of = (stream: 'stdout' | 'stderr') =>
    rows
      .filter((row) => row.stream === stream)
      .map(({ text }) => text)
      .join('')
  return { stdout: of('stdout'), stderr: of('stderr') }
}

/** The lines of both streams, in the order in which they were said. */
export async function readLines(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
): Promise<string[]> {
  const rows = await listOutputs(secrets, db, workspaceId, source, 0, 1_000_000)
  const text = rows.map((row) => row.text).join('')
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** The last lines of both streams, as far as so many pieces hold them. */
export async function readLastLines(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  most: number,
): Promise<string[]> {
  const text = (await listLastOutputs(secrets, db, workspaceId, source, most + 1)).join('')
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').slice(-most)
}

interface Following {
  source: string
  after: string | undefined
  signal: AbortSignal
  /** Whether it is over; asked before the last look, so that nothing comes after the end. */
  isOver: () => Promise<boolean>
  /** Whether whoever reads may still; asked before anything is told, and with every piece of news. */
  mayRead: () => Promise<boolean>
}

const pageSize = 500
/** The end is no piece of output, so it is looked for as well as told. */
const lookEvery = 2_000

/** What was said, then what is being said, then that it is over. */
export async function* followOutput(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  { source, after, signal, isOver, mayRead }: Following,
): AsyncGenerator<LiveEvent<z.input<typeof outputEvent>>> {
  const news = newsOf(ctx, source, signal)
  await ctx.bus.ready()
  yield { id: '', data: { type: 'connected' } }
  // What is no number of ours is as good as none.
  let last = /^\d{1,9}$/.test(after ?? '') ? Number(after) : 0
  while (!signal.aborted) {
    const over = await isOver()
    for (;;) {
      const rows = await listOutputs(ctx.secrets, ctx.db, workspaceId, source, last, pageSize)
      // Once they are read: whoever was removed before something was said does not hear it.
      if (rows.length > 0 && !(await mayRead())) return
      for (const { seq, stream, text, created_at } of rows) {
        yield { id: String(seq), data: { type: 'output', stream, text, at: created_at.toISOString() } }
        last = seq
      }
      if (rows.length < pageSize) break
    }
    if (over) {
      yield { id: '', data: { type: 'end' } }
      return
    }
    await news.next()
    if (!(await mayRead())) return
  }
}

const hubs = new WeakMap<Bus, EventEmitter>()

/** One listener on the database for all who follow in this process. */
function hubOf(ctx: Context): EventEmitter {
  const known = hubs.get(ctx.bus)
  if (known) return known
  const hub = new EventEmitter().setMaxListeners(0)
  ctx.bus.on('outputs', (source) => hub.emit(source))
  ctx.bus.on('access', () => hub.emit('all'))
  ctx.bus.onReconnect(() => hub.emit('all'))
  hubs.set(ctx.bus, hub)
  return hub
}

/** Resolves when there may be something new: it was told, or some time has passed. Many pieces of news are one. */
function newsOf(ctx: Context, source: string, signal: AbortSignal) {
  const hub = hubOf(ctx)
  let told = false
  let wake: (() => void) | undefined
  const tell = () => {
    told = true
    wake?.()
  }
  for (const name of [source, 'all']) hub.on(name, tell)
  const stop = () => {
    for (const name of [source, 'all']) hub.off(name, tell)
    wake?.()
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return {
    async next() {
      if (!told && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookEvery)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      told = false
    },
  }
}
