import { AlertDialog } from 'radix-ui'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { AddressContent, useMaskedText } from '../lib/address.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { DialogActions } from './dialog.tsx'
import { Field } from './form/field.tsx'
import { useFocusReturn } from './focus-return.ts'
import { Input } from './form/input.tsx'

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  action: string
  /** Label of the cancel button where “Cancel” would be ambiguous. */
  dismiss?: string
  pending?: string | false
  /** Name that the user must type before data is deleted. */
  typeName?: string
  wide?: boolean
  alternative?: ReactNode
  onConfirm: () => void
}

/** Dialog that confirms an irreversible action. The caller closes it, so that it stays open on failure. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const focusReturn = useFocusReturn()
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <AlertDialog.Content
          {...focusReturn}
          className={classNames(
            'fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2',
            'animate-rise overflow-y-auto rounded-lg border border-line bg-raised p-(--space) shadow-float outline-none [--space:1.25rem]',
            props.wide ? 'max-w-xl' : 'max-w-md',
          )}
        >
          <Question {...props} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function Question(props: ConfirmDialogProps) {
  const {
    title,
    children,
    action,
    dismiss = 'Cancel',
    pending = false,
    typeName,
    alternative,
    onConfirm,
  } = props
  const [typed, setTyped] = useState('')
  const mask = useMaskedText()
  const allowed = typeName === undefined || typed === typeName

  function submit(event: SubmitEvent) {
    event.preventDefault()
    event.stopPropagation()
    if (allowed && !pending) onConfirm()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4 wrap-anywhere">
      <AlertDialog.Title className="text-lg font-semibold">{mask(title)}</AlertDialog.Title>
      <AlertDialog.Description asChild>
        <div className="text-muted">
          <AddressContent>{children}</AddressContent>
        </div>
      </AlertDialog.Description>
      {typeName !== undefined && (
        <Field
          label={
            <>
              Type{' '}
              <span className="font-mono" data-instruction>
                {typeName}
              </span>{' '}
              to confirm
            </>
          }
        >
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
      <DialogActions>
        <AlertDialog.Cancel asChild>
          <Button>{dismiss}</Button>
        </AlertDialog.Cancel>
        {alternative}
        <Button type="submit" variant="danger" disabled={!allowed} pending={pending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
