import { focusManager } from '@tanstack/query-core'

/** React Native's `AppState`: what this file uses of it. */
interface AppState {
  addEventListener(type: 'change', listener: (state: string) => void): unknown
}

// #region focus
/** Hidden apps do not poll. Call it once, with `AppState` of `react-native`. */
export function connectFocus(appState: AppState) {
  appState.addEventListener('change', (state) => focusManager.setFocused(state === 'active'))
}
// #endregion focus
