import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Delivery } from './store.ts'

type WithSecrets = Pick<Context, 'secrets'>

/** Payloads may contain secrets from CI, so they are sealed. */
const payloadSealContext = (id: Id<'delivery'>) => `deliveries.payload_sealed:${id}`

export const sealPayload = ({ secrets }: WithSecrets, id: Id<'delivery'>, payload: string) =>
  secrets.seal(payloadSealContext(id), payload)

export const openPayload = ({ secrets }: WithSecrets, { id, payload_sealed }: Delivery) =>
  secrets.open(payloadSealContext(id), payload_sealed)
