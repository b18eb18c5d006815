import { Check } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface CheckboxProps extends Omit<ComponentProps<typeof Radix.Root>, 'children' | 'className'> {
  label: ReactNode
  help?: ReactNode
}

export function Checkbox({ label, help, ...rest }: CheckboxProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <Radix.Root
        id={id}
        aria-describedby={help ? `${id}-help` : undefined}
        {...rest}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-faint bg-raised data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Indicator>
          <Check className="size-3 text-on-accent" strokeWidth={3} aria-hidden />
        </Radix.Indicator>
      </Radix.Root>
      <div className="flex flex-col">
        <label htmlFor={id}>{label}</label>
        {help && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
      </div>
    </div>
  )
}
