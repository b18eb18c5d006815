import type { ReactNode } from 'react'

interface SideLabelProps {
  /** Of the control; what helps is `{id}-help`. */
  id: string
  label: ReactNode
  help: ReactNode
}

/** The name of a small control, beside it, and under that what helps. */
export const SideLabel = ({ id, label, help }: SideLabelProps) => (
  <div className="flex flex-col">
    <label htmlFor={id} className="font-medium text-ink">
      {label}
    </label>
    {help && (
      <p id={`${id}-help`} className="text-sm text-muted">
        {help}
      </p>
    )}
  </div>
)
