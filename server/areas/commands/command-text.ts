import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { CommandRow } from './store.ts'

type WithSecrets = Pick<Context, 'secrets'>

/** A command may contain secrets, so it is sealed for its row. */
const place = (id: Id<'command'>) => `commands.command_sealed:${id}`

export const sealCommandText = ({ secrets }: WithSecrets, id: Id<'command'>, text: string) =>
  secrets.seal(place(id), text)

export const openCommandText = ({ secrets }: WithSecrets, { id, command_sealed }: CommandRow) =>
  secrets.open(place(id), command_sealed)
