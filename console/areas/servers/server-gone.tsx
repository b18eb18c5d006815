import { useOnce } from '../../lib/http/use-once.ts'
import { useLeave } from './use-leave.ts'

export function ServerGone() {
  useOnce(useLeave())
  return null
}
