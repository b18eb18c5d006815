import type { ExternalToast, toast as Toast } from 'sonner'
import { createElement } from 'react'
import { AddressText } from './address.tsx'
import { splitAddresses } from './split-addresses.ts'
import { ApiError, unknownErrorMessage } from './http/api-error.ts'
import { navigateTo } from './navigate.tsx'
import { logError } from './log.ts'

/** Shows an error as a toast. Equal messages share one toast. */
export function notify(error: unknown) {
  if (!(error instanceof ApiError)) logError('Unexpected error', error)
  const messages = error instanceof ApiError ? error.messages : [unknownErrorMessage]
  const way = error instanceof ApiError ? wayOut(error) : {}
  for (const message of messages) toastError(message, way)
}

const shown = new Map<string, string | number>()

let announce = () => {}
/** Resolves with the first toast. The login page loads the code of toasts only then. */
export const firstToast = new Promise<void>((resolve) => (announce = resolve))

function withToasts(act: (toast: typeof Toast) => void) {
  announce()
  void import('sonner').then(({ toast }) => act(toast))
}

export function toastError(message: string, way: ExternalToast = {}) {
  const masked = splitAddresses(message).some(({ isAddress }) => isAddress)
  const title = masked ? createElement(AddressText, null, message) : message
  withToasts((toast) => {
    const id = shown.get(message)
    shown.set(message, toast.error(title, { ...way, ...(id !== undefined && { id }) }))
  })
}

/** Returns the action that the server suggests for an error, with enough time to read and click. */
function wayOut(failure: ApiError): ExternalToast {
  const { url } = failure
  if (url === undefined) return {}
  return { duration: 10_000, action: { label: whereTo(failure), onClick: () => navigateTo(url) } }
}

function whereTo({ status, code }: ApiError): string {
  if (status === 402) return 'Choose a plan'
  return code === 'payment_due' ? 'Pay now' : 'View billing'
}

/** Dismisses outdated errors. A closing toast cannot be reopened, so the next equal message creates a new one. */
export function dismissToasts(messages: readonly string[]) {
  if (messages.length === 0) return
  withToasts((toast) => {
    for (const message of messages) {
      const id = shown.get(message)
      if (id !== undefined) toast.dismiss(id)
      shown.delete(message)
    }
  })
}
