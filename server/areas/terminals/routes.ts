import * as contract from '../../../contract/terminals.ts'
import { notFound } from '../../errors.ts'
import { route } from '../../route.ts'

export const routes = Object.values(contract).flatMap((value) =>
  typeof value === 'object' && 'key' in value && 'method' in value ? [route(value as never, () => { throw notFound('It') })] : [],
)
