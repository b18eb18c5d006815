import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Tooltip } from '../../ui/tooltip.tsx'

interface LogToolProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  label: string
  Icon: LucideIcon
  /** Shows the label next to the icon: if there is room, or always. */
  named?: 'roomy' | 'always'
}

/** With aria-pressed it is a toggle. */
export function LogTool({ label, Icon, named, ...rest }: LogToolProps) {
  return (
    <Tooltip content={label} off={named === 'always'}>
      <Button
        variant="ghost"
        size="small"
        {...rest}
        className="aria-pressed:bg-pressed aria-pressed:text-ink"
      >
        <Icon aria-hidden />
        <span className={classNames(!named && 'sr-only', named === 'roomy' && '@max-[69rem]/log:sr-only')}>
          {label}
        </span>
      </Button>
    </Tooltip>
  )
}
