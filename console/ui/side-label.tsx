import type { ReactNode } from 'react'

interface SideLabelProps {
  /** ID of the control; the help text has `{id}-help`. */
  id: string
  label: ReactNode
  help: ReactNode
}

/** Label and help text next to a small control. */
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
