import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { useWiring } from './field.tsx'
import { controlLook } from './input.tsx'

interface TextareaProps extends ComponentProps<'textarea'> {
  mono?: boolean
}

export function Textarea({ className, mono, ...rest }: TextareaProps) {
  const wiring = useWiring()
  return (
    <textarea
      {...wiring}
      {...rest}
      className={classNames(
        controlLook,
        'resize-y px-2.5 py-1.5 text-base leading-5 max-sm:text-lg',
        mono && 'font-mono text-sm',
        className,
      )}
    />
  )
}
