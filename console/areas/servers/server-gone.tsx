import { useOnce } from '../../lib/http/use-once.ts'
import { useLeave } from './use-leave.ts'

/** Its cloud has taken it away before one's eyes. */
export function ServerGone() {
  useOnce(useLeave())
  return null
}
