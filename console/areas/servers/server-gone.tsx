import { useOnce } from '../../lib/http/use-once.ts'
import { useLeaveDeletedServer } from './use-leave-deleted-server.ts'

export function ServerGone() {
  useOnce(useLeaveDeletedServer())
  return null
}
