import { EllipsisVertical } from 'lucide-react'
import { changeSettings, useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/dropdown-menu.tsx'
import { MenuCheck } from '../../ui/menu-check.tsx'
import { DownloadItems } from './download-items.tsx'
import type { LogActs } from './log-tools.tsx'

/** What the bar has no room for. */
export function LogMenu({ onJump, onDownload, onClear }: LogActs) {
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
