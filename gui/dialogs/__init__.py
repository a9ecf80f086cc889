"""The window's questions and messages: opened, never run in a loop of their own."""
