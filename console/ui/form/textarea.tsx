import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldControl } from './field.tsx'
import { codeAttributes, controlClasses } from './input.tsx'

interface TextareaProps extends ComponentProps<'textarea'> {
  mono?: boolean
}

export function Textarea({ className, mono, ...rest }: TextareaProps) {
  const wiring = useFieldControl()
  return (
    <textarea
      {...wiring}
      {...(mono && codeAttributes)}
      {...rest}
      className={classNames(
        controlClasses,
        'resize-y px-2.5 py-1.5 text-base leading-5 max-sm:text-lg',
        mono && 'font-mono text-sm',
        className,
      )}
    />
  )
}
