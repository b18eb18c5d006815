import { toast } from 'sonner'
import { Failure, unknownError } from './failure.ts'
import { logError } from './log.ts'

/** Shows why something failed. Equal sentences share one toast, however many calls met the same fate. */
export function notify(error: unknown) {
  if (!(error instanceof Failure)) logError('Unexpected error', error)
  const messages = error instanceof Failure ? error.messages : [unknownError]
  for (const message of messages) toast.error(message, { id: message })
}
