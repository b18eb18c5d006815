import type { ComponentProps } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useMaskedText } from '../address.tsx'

interface ActionDialogProps<Input> extends Omit<
  ComponentProps<typeof ConfirmDialog>,
  'open' | 'onOpenChange' | 'onConfirm' | 'pending'
> {
  mutation: { isPending: boolean; mutateAsync: (input: Input) => Promise<unknown> }
  input: Input
  pending: string
  done: string
  onClose: () => void
}

/**
 * Dialog that confirms a mutation and closes after it. If the mutation fails, it shows its error and the dialog stays
 * open.
 */
export function ActionDialog<Input>(props: ActionDialogProps<Input>) {
  const { mutation, input, pending, done, onClose, ...dialog } = props
  const mask = useMaskedText()

  async function confirm() {
    await mutation.mutateAsync(input)
    // The dialog may be unmounted with its entry by now, but the URL still names it, so close it.
    toast.success(mask(done))
    onClose()
  }

  return (
    <ConfirmDialog
      {...dialog}
      open
      onOpenChange={onClose}
      pending={mutation.isPending && pending}
      onConfirm={() => void confirm().catch(() => undefined)}
    />
  )
}
