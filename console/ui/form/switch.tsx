import { Switch as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { SideLabel } from '../side-label.tsx'

interface SwitchProps extends Omit<ComponentProps<typeof Radix.Root>, 'children' | 'className'> {
  label: ReactNode
  help?: ReactNode
  /** Hides the label visually, for switches in tables. */
  bare?: boolean
}

/** For immediate changes; use Checkbox for values that need Save. */
export function Switch({ label, help, bare = false, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <div className={bare ? 'flex' : 'flex items-start justify-between gap-6'}>
      {bare ? (
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
      ) : (
        <SideLabel id={id} label={label} help={help} />
      )}
      <Radix.Root
        id={id}
        aria-describedby={help ? `${id}-help` : undefined}
        {...rest}
        className="relative mt-0.5 h-5 w-9 shrink-0 rounded-full bg-faint transition-colors duration-100 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 translate-x-0.5 rounded-full bg-on-accent transition-transform duration-100 data-[state=checked]:translate-x-[18px]" />
      </Radix.Root>
    </div>
  )
}
