import { type ComponentProps, type ReactNode, useId } from 'react'
import { Switch as Radix } from 'radix-ui'
import { classNames } from '../class-names.ts'

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: ReactNode
  help?: ReactNode
}

/** Checkbox, for values that need Save. Use a Switch for immediate changes. */
export const Checkbox = (props: ChoiceProps) => <Choice {...props} type="checkbox" />

/** Radio button, for a few options. Use a Select for many. */
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

interface SideLabelProps {
  /** ID of the control. The ID of the help text is `{id}-help`. */
  id: string
  label: ReactNode
  help: ReactNode
}

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

interface SwitchProps extends Omit<ComponentProps<typeof Radix.Root>, 'children' | 'className'> {
  label: ReactNode
  help?: ReactNode
  /** Hides the label visually, for switches in tables. */
  bare?: boolean
  /** Shows the switch before a small label, for toolbars. */
  inline?: boolean
}

/** Switch, for immediate changes. Use a Checkbox for values that need Save. */
export function Switch({ label, help, bare = false, inline = false, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <div
      className={classNames(
        'flex',
        inline ? 'flex-row-reverse items-center gap-2' : !bare && 'items-start justify-between gap-6',
      )}
    >
      {bare || inline ? (
        <label htmlFor={id} className={bare ? 'sr-only' : 'text-sm text-muted'}>
          {label}
        </label>
      ) : (
        <SideLabel id={id} label={label} help={help} />
      )}
      <Radix.Root
        id={id}
        aria-describedby={help ? `${id}-help` : undefined}
        {...rest}
        className={classNames(
          'relative h-5 w-9 shrink-0 rounded-full bg-faint transition-colors duration-100 disabled:opacity-50 data-[state=checked]:bg-accent',
          !inline && 'mt-0.5',
        )}
      >
        <Radix.Thumb className="block size-4 translate-x-0.5 rounded-full bg-on-accent transition-transform duration-100 data-[state=checked]:translate-x-[18px]" />
      </Radix.Root>
    </div>
  )
}
