import { type ReactNode, createContext, useContext, useId } from 'react'
import { AddressContent } from '../../lib/address.tsx'

interface FieldProps {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
  optional?: boolean
  aside?: ReactNode
  children: ReactNode
}

interface Wiring {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

const Control = createContext<Wiring>({})

export const useFieldControl = () => useContext(Control)

/** Detaches a second control of a field from its label and error. The control needs a name of its own. */
export const SecondaryControl = ({ children }: { children: ReactNode }) => (
  <Control value={{}}>{children}</Control>
)

export function Field({ label, help, error, optional, aside, children }: FieldProps) {
  const id = useId()
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside}
      </div>
      <Control
        value={{ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined }}
      >
        {children}
      </Control>
      {error && (
        <p id={`${id}-error`} className="text-sm text-red-ink">
          <AddressContent>{error}</AddressContent>
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="text-sm text-muted">
          <AddressContent>{help}</AddressContent>
        </p>
      )}
    </div>
  )
}
