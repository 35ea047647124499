import type { Directive } from 'vue'
import { focusScreen } from '@headwater/demo-kit'

/** For a screen's heading: takes the focus there when the screen appears. */
export const vFocusScreen: Directive<HTMLElement> = { mounted: (heading) => focusScreen(heading) }
