import { type ComponentProps, type ReactNode, useId } from 'react'
import { SideLabel } from '../side-label.tsx'

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: ReactNode
  help?: ReactNode
}

/** For values that need Save; use Switch for immediate changes. */
export const Checkbox = (props: ChoiceProps) => <Choice {...props} type="checkbox" />

/** For a few options; use Select for many. */
export const Radio = (props: ChoiceProps) => <Choice {...props} type="radio" />

function Choice({ label, help, type, ...rest }: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        {...rest}
        id={id}
        type={type}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent max-sm:size-5"
      />
      <SideLabel id={id} label={label} help={help} />
    </div>
  )
}
