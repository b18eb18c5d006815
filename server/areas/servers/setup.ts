import type { Doer } from '../../events.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import type { ServerRow } from './store.ts'

/** A set-up row, its job and its event, in the caller's transaction. One that is under way already is that one. */
export async function requestSetup(_ctx: Context, _trx: Trx, _doer: Doer, _server: ServerRow): Promise<void> {}
