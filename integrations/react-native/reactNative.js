export { default as AppState } from 'react-native/Libraries/AppState/AppState'
