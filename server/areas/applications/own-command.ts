import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { ApplicationRow } from './store.ts'

type WithSecrets = Pick<Context, 'secrets'>

/** What an application is told to run may hold a secret, so it is sealed for its row. */
const place = (id: Id<'application'>) => `applications.command_sealed:${id}`

export const sealCommand = ({ secrets }: WithSecrets, id: Id<'application'>, command: string[] | null) =>
  command && secrets.seal(place(id), JSON.stringify(command))

export const commandOf = (
  { secrets }: WithSecrets,
  { id, command_sealed: sealed }: Pick<ApplicationRow, 'id' | 'command_sealed'>,
): string[] | null =>
  // What we sealed ourselves is what we wrote.
  sealed === null ? null : (JSON.parse(secrets.open(place(id), sealed)) as string[])
