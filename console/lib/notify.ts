import { toast } from 'sonner'
import { Failure, unknownError } from './failure.ts'
import { logError } from './log.ts'

/** Shows why something failed. Equal sentences share one toast, however many calls met the same fate. */
export function notify(error: unknown) {
  if (!(error instanceof Failure)) logError('Unexpected error', error)
  const messages = error instanceof Failure ? error.messages : [unknownError]
  for (const message of messages) tellError(message)
}

const shown = new Map<string, string | number>()

export function tellError(message: string) {
  const id = shown.get(message)
  shown.set(message, toast.error(message, id === undefined ? {} : { id }))
}

/** Dismisses what is no longer so. A toast on its way out cannot come back: the same sentence then gets a new one. */
export function takeBack(messages: readonly string[]) {
  for (const message of messages) {
    const id = shown.get(message)
    if (id !== undefined) toast.dismiss(id)
    shown.delete(message)
  }
}
