import {
  CalendarClock,
  Clock,
  Download,
  EllipsisVertical,
  Eraser,
  type LucideIcon,
  Pause,
  Play,
  WrapText,
} from 'lucide-react'
import { changeSettings, useSettings } from '../../lib/local-settings.ts'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import type { ComponentProps } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Tooltip } from '../../ui/tooltip.tsx'

export interface LogActions {
  onJump: () => void
  onDownload: (which: 'shown' | 'all') => void
  onClear: () => void
}

interface LogToolsProps extends LogActions {
  crowded: boolean
  paused: boolean
  onPause: () => void
  onResume: () => void
}

export function LogTools({ crowded, paused, onPause, onResume, ...acts }: LogToolsProps) {
  const { log_timestamps: timestamps, log_wrap: wrap } = useSettings()
  const named = crowded ? 'roomy' : 'always'
  return (
    <div className="ml-auto flex items-center gap-1">
      <div className="flex items-center gap-1 @max-5xl/log:hidden">
        <LogTool
          label="Timestamps"
          Icon={Clock}
          named={named}
          aria-pressed={timestamps}
          onClick={() => changeSettings({ log_timestamps: !timestamps })}
        />
        <LogTool
          label="Wrap"
          Icon={WrapText}
          named={named}
          aria-pressed={wrap}
          onClick={() => changeSettings({ log_wrap: !wrap })}
        />
        <LogTool label="Jump to time" Icon={CalendarClock} named={named} onClick={acts.onJump} />
        <DropdownMenu
          align="end"
          label="Download"
          trigger={<LogTool label="Download" Icon={Download} named={named} />}
        >
          <DownloadItems onDownload={acts.onDownload} />
        </DropdownMenu>
        <LogTool label="Clear" Icon={Eraser} named={named} onClick={acts.onClear} />
      </div>
      <Button size="small" onClick={paused ? onResume : onPause}>
        {paused ? <Play aria-hidden /> : <Pause aria-hidden />}
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <div className="@5xl/log:hidden">
        <LogMenu {...acts} />
      </div>
    </div>
  )
}

function LogMenu({ onJump, onDownload, onClear }: LogActions) {
  const { log_timestamps: timestamps, log_wrap: wrap } = useSettings()
  return (
    <DropdownMenu
      align="end"
      label="More"
      trigger={
        <Button variant="ghost" size="small" icon aria-label="More">
          <EllipsisVertical aria-hidden />
        </Button>
      }
    >
      <MenuCheck checked={timestamps} onChange={(on) => changeSettings({ log_timestamps: on })}>
        Timestamps
      </MenuCheck>
      <MenuCheck checked={wrap} onChange={(on) => changeSettings({ log_wrap: on })}>
        Wrap lines
      </MenuCheck>
      <MenuSeparator />
      <MenuItem onSelect={onJump}>Jump to time</MenuItem>
      <MenuItem onSelect={onClear}>Clear</MenuItem>
      <MenuSeparator />
      <MenuLabel>Download</MenuLabel>
      <DownloadItems onDownload={onDownload} />
    </DropdownMenu>
  )
}

function DownloadItems({ onDownload }: { onDownload: (which: 'shown' | 'all') => void }) {
  return (
    <>
      <MenuItem onSelect={() => onDownload('shown')}>Displayed lines</MenuItem>
      <MenuItem onSelect={() => onDownload('all')}>All lines</MenuItem>
    </>
  )
}

interface LogToolProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  label: string
  Icon: LucideIcon
  /** `roomy` shows the label next to the icon if there is space, `always` in any case. */
  named?: 'roomy' | 'always'
}

/** The attribute `aria-pressed` turns the tool into a toggle. */
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
