import { useEffectOnce } from '../../lib/http/use-effect-once.ts'
import { useLeaveDeletedServer } from './use-leave-deleted-server.ts'

export function DeletedServerRedirect() {
  useEffectOnce(useLeaveDeletedServer())
  return null
}
