import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { ApplicationRow } from './store.ts'

type WithSecrets = Pick<Context, 'secrets'>

/** Commands may hold secrets, so they are sealed for the row. */
const place = (id: Id<'application'>) => `applications.command_sealed:${id}`

export const sealCommand = ({ secrets }: WithSecrets, id: Id<'application'>, command: string[] | null) =>
  command && secrets.seal(place(id), JSON.stringify(command))

export const openCommand = (
  { secrets }: WithSecrets,
  { id, command_sealed: sealed }: Pick<ApplicationRow, 'id' | 'command_sealed'>,
): string[] | null =>
  // The sealed value was written by sealCommand.
  sealed === null ? null : (JSON.parse(secrets.open(place(id), sealed)) as string[])
