"""The version, that of the workspace."""

VERSION = "0.1.0"
