import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { AddressContent, useMaskedText } from '../lib/address.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { useFocusReturn } from './focus-return.ts'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  wide?: boolean
  widest?: boolean
  /** Ignores clicks outside, to protect typed text or content that is shown once. */
  holds?: boolean
  /** Prevents closing while content that is shown only once has not been saved. */
  locked?: boolean
  children: ReactNode
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide,
  widest,
  holds,
  locked,
  children,
}: DialogProps) {
  const focusReturn = useFocusReturn()
  const mask = useMaskedText()
  return (
    <Radix.Root open={open} onOpenChange={(now) => (locked ? undefined : onOpenChange(now))}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <Radix.Content
          {...focusReturn}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onEscapeKeyDown={(event) => {
            if (isSearched(event.target)) event.preventDefault()
          }}
          {...(holds ? { onInteractOutside: (event) => event.preventDefault() } : {})}
          className={classNames(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2',
            'animate-rise scroll-pb-20 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-(--space) shadow-float outline-none [--space:1.25rem]',
            widest &&
              'max-sm:h-[calc(100dvh-1rem)] max-sm:max-h-none max-sm:w-[calc(100vw-1rem)] max-sm:gap-3 max-sm:[--space:0.75rem]',
            widest ? 'max-w-4xl' : wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
              <Radix.Title className="text-lg font-semibold">{mask(title)}</Radix.Title>
              {description && (
                <Radix.Description className="text-muted">
                  <AddressContent>{description}</AddressContent>
                </Radix.Description>
              )}
            </div>
            {!locked && (
              <Radix.Close asChild>
                <Button variant="ghost" size="small" icon aria-label="Close" className="-mt-1 -mr-1">
                  <X aria-hidden />
                </Button>
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Returns whether Escape would clear a search. The dialog closes only on the next Escape. */
const isSearched = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value !== ''

/** The actions stay in view at the bottom of a long dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div
      className={classNames(
        'sticky bottom-[calc(var(--space)*-1)] z-10 mx-[calc(var(--space)*-1)] mb-[calc(var(--space)*-1)] flex flex-wrap justify-end gap-2 bg-raised px-(--space) pt-1 pb-(--space)',
        'before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-raised before:to-transparent',
        'max-sm:[&>*]:h-10 max-sm:[&>*]:flex-1',
      )}
    >
      {children}
    </div>
  )
}

interface DialogCloseProps {
  variant?: 'primary' | 'secondary'
  children: string
  disabled?: boolean
}

export const DialogClose = ({ variant = 'secondary', disabled = false, children }: DialogCloseProps) => (
  <Radix.Close asChild>
    <Button variant={variant} disabled={disabled}>
      {children}
    </Button>
  </Radix.Close>
)

interface DialogFooterProps extends Pick<
  ComponentProps<typeof Button>,
  'disabled' | 'pending' | 'onClick' | 'children'
> {
  danger?: boolean | undefined
}

/** Footer with “Cancel” and an action. The action submits the form of the dialog unless it has `onClick`. */
export const DialogFooter = ({ danger = false, ...action }: DialogFooterProps) => (
  <DialogActions>
    <DialogClose>Cancel</DialogClose>
    <Button {...action} type={action.onClick ? 'button' : 'submit'} variant={danger ? 'danger' : 'primary'} />
  </DialogActions>
)
