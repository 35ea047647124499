import type { Directive } from 'vue'
import { focusScreen } from '@headwater/demo-kit'

/** Directive for the heading of a screen: focuses it when the screen appears. */
export const vFocusScreen: Directive<HTMLElement> = { mounted: (heading) => focusScreen(heading) }
