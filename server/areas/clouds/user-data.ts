import { readScript } from '../../platform/read-script.ts'
import { quoteForShell } from '../../remote/command.ts'

/** Returns the first-boot script (cloud-init), which runs the import command as root. */
export const userDataFor = (url: string): string =>
  `#!/bin/sh\nslipway_url=${quoteForShell([url])}\n${readScript('cloud-first-boot.sh')}`
